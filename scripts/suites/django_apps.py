"""Django's own applications with ids of the type ObjectId, as the documentation of the backend says."""

from django.contrib.admin.apps import SimpleAdminConfig
from django.contrib.auth.apps import AuthConfig
from django.contrib.contenttypes.apps import ContentTypesConfig
from django.contrib.sites.apps import SitesConfig

ID = "django_mongodb_backend.fields.ObjectIdAutoField"


class Admin(SimpleAdminConfig):
    default_auto_field = ID


class Auth(AuthConfig):
    default_auto_field = ID


class ContentTypes(ContentTypesConfig):
    default_auto_field = ID


class Sites(SitesConfig):
    default_auto_field = ID
