"""Runs the operations of a typical application through PyMongo. Prints `ok NAME` or `failed NAME: REASON` for each check.

usage: pymongo_checks.py URI
"""
import sys
import traceback
from datetime import datetime, timezone
from threading import Thread

import gridfs
import pymongo
from bson import Binary, Code, Decimal128, Int64, MaxKey, MinKey, ObjectId, Regex, Timestamp, encode
from bson.raw_bson import RawBSONDocument
from pymongo import MongoClient, ReadPreference, ReturnDocument
from pymongo.errors import BulkWriteError, DuplicateKeyError, OperationFailure, WriteError
from pymongo.read_concern import ReadConcern
from pymongo.write_concern import WriteConcern

# After half a second, the driver checks a member that has failed again.
client = MongoClient(sys.argv[1], serverSelectionTimeoutMS=120_000, heartbeatFrequencyMS=500)
db = client.harbour
checks = []


def check(function):
    checks.append(function)
    return function


def equal(found, wanted):
    assert found == wanted, f"{found!r} is not {wanted!r}"


def refused(kind, code, function):
    try:
        function()
    except kind as error:
        equal(error.code, code)
        return error
    raise AssertionError(f"nothing was refused; {kind.__name__} was expected")


@check
def every_type_comes_back():
    document = {
        "_id": ObjectId(),
        "values": [1, Int64(2**53 + 1), 1.5, Decimal128("1.50"), "text", b"bytes", Binary(b"x", 128), True, None],
        "others": [datetime(2020, 2, 29, tzinfo=timezone.utc), Timestamp(7, 8), MinKey(), MaxKey(), Code("f()")],
        "pattern": Regex("^a", "i"),
    }
    types = db.get_collection("types", codec_options=db.codec_options.with_options(tz_aware=True))
    types.insert_one(document)
    equal(types.find_one({"_id": document["_id"]}), document)
    raw = db.get_collection("types", codec_options=db.codec_options.with_options(document_class=RawBSONDocument))
    equal(raw.find_one({"_id": document["_id"]}).raw, encode(document))


@check
def crud():
    ships = db.ships
    equal(ships.insert_many([{"_id": n, "sails": n % 3} for n in range(6)]).inserted_ids, list(range(6)))
    equal(ships.update_many({"sails": 1}, {"$inc": {"sails": 10}}).modified_count, 2)
    equal(ships.update_one({"_id": 9}, {"$set": {"a": 1}}, upsert=True).upserted_id, 9)
    equal(ships.replace_one({"_id": 9}, {"b": 1}).raw_result["nModified"], 1)
    equal(ships.find_one_and_update({"_id": 9}, {"$inc": {"b": 1}}, return_document=ReturnDocument.AFTER)["b"], 2)
    equal(ships.find_one_and_delete({"_id": 9}), {"_id": 9, "b": 2})
    equal(sorted(ships.distinct("sails")), [0, 2, 11])
    equal([d["_id"] for d in ships.find({"sails": 0}, sort=[("_id", -1)], batch_size=1)], [3, 0])
    equal([ships.count_documents({}), ships.estimated_document_count()], [6, 6])
    equal(ships.delete_many({"sails": 11}).deleted_count, 2)
    refused(DuplicateKeyError, 11000, lambda: ships.insert_one({"_id": 0}))
    refused(WriteError, 66, lambda: ships.update_one({"_id": 0}, {"$set": {"_id": 1}}))


@check
def bulk():
    result = db.bulk.bulk_write([
        pymongo.InsertOne({"_id": 1}),
        pymongo.UpdateOne({"_id": 2}, {"$set": {"a": 1}}, upsert=True),
        pymongo.ReplaceOne({"_id": 1}, {"b": 1}),
        pymongo.DeleteOne({"_id": 2}),
    ])
    equal([result.inserted_count, result.modified_count, result.deleted_count], [1, 1, 1])
    equal(result.upserted_ids, {1: 2})
    try:
        db.bulk.insert_many([{"_id": 1}, {"_id": 3}, {"_id": 1}], ordered=False)
    except BulkWriteError as error:
        equal([one["index"] for one in error.details["writeErrors"]], [0, 2])
        equal(error.details["nInserted"], 1)
    several = client.bulk_write([
        pymongo.InsertOne({"_id": 7}, namespace="harbour.bulk"),
        pymongo.DeleteOne({"_id": 7}, namespace="harbour.bulk"),
        pymongo.InsertOne({"_id": 7}, namespace="quay.bulk"),
    ])
    equal([several.inserted_count, several.deleted_count], [2, 1])


@check
def aggregation():
    db.legs.insert_many([{"ship": n % 2, "day": n, "miles": n * 10} for n in range(1, 7)])
    equal(
        list(db.legs.aggregate([
            {"$group": {"_id": "$ship", "miles": {"$sum": "$miles"}, "best": {"$max": "$miles"}}},
            {"$sort": {"_id": 1}},
        ])),
        [{"_id": 0, "miles": 120, "best": 60}, {"_id": 1, "miles": 90, "best": 50}],
    )
    window = {"partitionBy": "$ship", "sortBy": {"day": 1}, "output": {"sum": {"$sum": "$miles", "window": {"documents": ["unbounded", "current"]}}}}
    sums = db.legs.aggregate([{"$setWindowFields": window}, {"$match": {"ship": 1}}], batchSize=1)
    equal([one["sum"] for one in sums], [10, 40, 90])
    db.legs.aggregate([{"$match": {"ship": 0}}, {"$out": "even"}])
    equal(db.even.count_documents({}), 3)
    refused(OperationFailure, 40324, lambda: list(db.legs.aggregate([{"$sail": {}}])))


@check
def indexes():
    things = db.things
    equal(things.create_index([("a", 1), ("b", -1)], unique=True), "a_1_b_-1")
    equal(things.create_indexes([pymongo.IndexModel([("t", pymongo.TEXT)]), pymongo.IndexModel([("at", 1)], expireAfterSeconds=60)]), ["t_text", "at_1"])
    things.insert_many([{"a": n, "t": f"ship number {n}"} for n in range(20)])
    plan = things.find({"a": {"$gte": 3, "$lt": 5}}).explain()
    equal(plan["executionStats"]["totalDocsExamined"], 2)
    equal(things.find({"$text": {"$search": "ships"}}).to_list(2)[0]["t"][:4], "ship")
    things.drop_index("at_1")
    equal(sorted(things.index_information()), ["_id_", "a_1_b_-1", "t_text"])


@check
def sessions_and_transactions():
    wallet = db.wallet
    wallet.insert_many([{"_id": "a", "coins": 10}, {"_id": "b", "coins": 0}])

    def move(session):
        wallet.update_one({"_id": "a"}, {"$inc": {"coins": -4}}, session=session)
        wallet.update_one({"_id": "b"}, {"$inc": {"coins": 4}}, session=session)
        return wallet.find_one({"_id": "b"})["coins"]

    with client.start_session() as session:
        equal(session.with_transaction(move, read_concern=ReadConcern("snapshot"), write_concern=WriteConcern("majority")), 0)
        equal([d["coins"] for d in wallet.find(session=session).sort("_id")], [6, 4])
        try:
            with session.start_transaction():
                wallet.delete_many({}, session=session)
                raise KeyError("changed my mind")
        except KeyError:
            pass
        equal(wallet.count_documents({}), 2)
    with client.start_session() as one, client.start_session() as other, one.start_transaction():
        wallet.update_one({"_id": "a"}, {"$set": {"x": 1}}, session=one)
        other.start_transaction()
        conflict = refused(OperationFailure, 112, lambda: wallet.update_one({"_id": "a"}, {"$set": {"x": 2}}, session=other))
        assert conflict.has_error_label("TransientTransactionError")
    with client.start_session(snapshot=True) as session:
        equal(wallet.count_documents({}, session=session), 2)
        wallet.insert_one({"_id": "c"})
        equal(wallet.count_documents({}, session=session), 2)


@check
def change_streams():
    with db.watched.watch(full_document="updateLookup", max_await_time_ms=500) as stream:
        db.watched.insert_one({"_id": 1})
        db.watched.update_one({"_id": 1}, {"$set": {"a": 1}})
        first = next(stream)
        equal(first["operationType"], "insert")
        second = next(stream)
        equal([second["fullDocument"], second["updateDescription"]["updatedFields"]], [{"_id": 1, "a": 1}, {"a": 1}])
    with db.watch(resume_after=first["_id"], max_await_time_ms=500) as stream:
        equal(next(stream)["operationType"], "update")
    seen = []
    with client.watch([{"$match": {"ns.db": "elsewhere"}}], max_await_time_ms=500) as stream:
        thread = Thread(target=lambda: seen.append(next(stream)["ns"]))
        thread.start()
        client.elsewhere.things.insert_one({})
        thread.join(20)
    equal(seen, [{"db": "elsewhere", "coll": "things"}])


@check
def gridfs_files():
    content = bytes(range(256)) * 3000
    bucket = gridfs.GridFSBucket(db, chunk_size_bytes=100_000)
    with bucket.open_upload_stream("chart", metadata={"sea": "Baltic"}) as upload:
        upload.write(content)
    equal(bucket.open_download_stream_by_name("chart").read(), content)
    equal(db["fs.chunks"].count_documents({}), 8)
    found = next(bucket.find({"metadata.sea": "Baltic"}))
    part = bucket.open_download_stream(found._id)
    part.seek(250_000)
    equal(part.read(10), content[250_000:250_010])
    bucket.rename(found._id, "map")
    bucket.delete(found._id)
    equal([db["fs.files"].count_documents({}), db["fs.chunks"].count_documents({})], [0, 0])


@check
def retryable_writes():
    fail = {"configureFailPoint": "failCommand", "mode": {"times": 1}}
    client.admin.command({**fail, "data": {"failCommands": ["insert"], "errorCode": 189, "errorLabels": ["RetryableWriteError"]}})
    equal(db.retried.insert_one({"_id": 1}).inserted_id, 1)
    client.admin.command({**fail, "data": {"failCommands": ["update"], "closeConnection": True}})
    equal(db.retried.update_one({"_id": 1}, {"$inc": {"n": 1}}).modified_count, 1)
    client.admin.command({**fail, "data": {"failCommands": ["find"], "closeConnection": True}})
    equal(db.retried.find_one(), {"_id": 1, "n": 1})


@check
def read_preferences():
    db.get_collection("read", write_concern=WriteConcern(3)).insert_one({"_id": 1})
    for preference in [ReadPreference.SECONDARY, ReadPreference.NEAREST, ReadPreference.PRIMARY_PREFERRED]:
        equal(db.get_collection("read", read_preference=preference).find_one(), {"_id": 1})
    for level in ["local", "available", "majority", "linearizable"]:
        equal(db.get_collection("read", read_concern=ReadConcern(level)).find_one(), {"_id": 1})
    equal([len(client.secondaries), client.primary is not None], [2, True])


@check
def validators_and_views():
    crew = db.create_collection("crew", validator={"$jsonSchema": {"required": ["name"]}})
    refused(WriteError, 121, lambda: crew.insert_one({}))
    crew.insert_many([{"name": "Ann", "age": 30}, {"name": "Åke", "age": 3}])
    db.create_collection("grown", viewOn="crew", pipeline=[{"$match": {"age": {"$gt": 18}}}])
    equal([d["name"] for d in db.grown.find()], ["Ann"])
    equal([d["name"] for d in crew.find(collation={"locale": "sv", "strength": 1}).sort("name")], ["Ann", "Åke"])
    equal(db.validate_collection("crew")["valid"], True)


for one in checks:
    try:
        one()
        print("ok", one.__name__)
    except Exception as error:  # every check is told, whatever became of those before it
        print(f"failed {one.__name__}: {type(error).__name__}: {error}".replace("\n", " "))
        traceback.print_exc()
client.drop_database("harbour")
