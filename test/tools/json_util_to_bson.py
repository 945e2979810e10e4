"""Reads lines of Extended JSON from gzip files. Prints the index of the file and the BSON in hexadecimal for each line."""

import gzip
import sys

from bson import encode, json_util
from bson.codec_options import CodecOptions
from bson.son import SON

# The position of the document in the field with the empty name: after a length, a type and the end of the name.
NESTED = 6

options = json_util.JSONOptions(
    json_mode=json_util.JSONMode.CANONICAL, document_class=SON, tz_aware=False
)
for place, name in enumerate(sys.argv[1:]):
    with gzip.open(name, "rt", encoding="utf-8") as lines:
        for line in lines:
            document = json_util.loads(line, json_options=options)
            # PyMongo writes the field `_id` first, except in a nested document.
            outer = encode({"": document}, codec_options=CodecOptions(document_class=SON))
            print(place, outer[NESTED:-1].hex())
