"""Connects to the engine under test in place of the usual port, for tests that specify no other port."""

import os
import socket

USUAL_PORT = 27017
find_addresses = socket.getaddrinfo


def find_engine(host, port, *args, **kwargs):
    engine = int(os.environ["ENGINE_PORT"])
    return find_addresses(host, engine if port == USUAL_PORT else port, *args, **kwargs)


socket.getaddrinfo = find_engine
