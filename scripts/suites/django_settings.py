"""Settings for the tests of the Django backend: each folder of tests is an application, and runs alone."""

import os

from bson import ObjectId
from xmlrunner.result import _XMLTestResult

# Python 3.12.1 does not start the tests of a skipped class, but the report reads their start.
_XMLTestResult.start_time = 0

database = {"ENGINE": "django_mongodb_backend", "HOST": os.environ["MONGODB_URI"]}
DATABASES = {
    "default": {**database, "NAME": "djangotests"},
    "other": {**database, "NAME": "djangotests-other"},
    "encrypted": {},
}
DATABASE_ROUTERS = ["django_mongodb_backend.routers.MongoRouter"]
DEFAULT_AUTO_FIELD = "django_mongodb_backend.fields.ObjectIdAutoField"
INSTALLED_APPS = [
    "django_apps.ContentTypes",
    "django_apps.Auth",
    "django_apps.Sites",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django_apps.Admin",
    "django.contrib.staticfiles",
    os.environ["TEST_APPLICATION"],
]
MIDDLEWARE = [
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    }
]
MIGRATION_MODULES = {name: None for name in ["admin", "auth", "contenttypes", "sessions", "sites"]}
SITE_ID = ObjectId("000000000000000000000001")
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
SECRET_KEY = "tests"
USE_TZ = False
TEST_RUNNER = "xmlrunner.extra.djangotestrunner.XMLTestRunner"
TEST_OUTPUT_FILE_NAME = os.environ["REPORT"]
