"""Walks the bare metal proxy of openstacksdk against a running API, and says which of its methods it walked.

usage: walk_proxy.py ENDPOINT

The last line of the output is JSON: {"methods": [every public method of the proxy], "walked": [...]}. A call that does not
bring what it should ends the walk with a traceback and the exit code 1.
"""

import functools
import inspect
import json
import sys

import openstack
from openstack import exceptions
from openstack import proxy as base
from openstack.baremetal.v1 import _proxy

import lifecycle
import nodes
import resources


class Walked:
    """The proxy; notes which of its methods were called."""

    def __init__(self, proxy):
        self.names = set()
        for name in methods():
            setattr(self, name, self._noting(name, getattr(proxy, name)))

    def _noting(self, name, method):
        @functools.wraps(method)
        def noting(*args, **kwargs):
            self.names.add(name)
            return method(*args, **kwargs)

        return noting


def methods():
    """Public methods that the bare metal proxy has of its own, and not from what all proxies share."""
    shared = set(dir(base.Proxy))
    own = inspect.getmembers(_proxy.Proxy, callable)
    return [name for name, _ in own if not name.startswith("_") and name not in shared]


def main(endpoint):
    connection = openstack.connection.Connection(
        auth_type="none",
        auth={"endpoint": endpoint},
        baremetal_endpoint_override=endpoint,
    )
    walked = Walked(connection.baremetal)
    for walk in (resources, nodes, lifecycle):
        walk.walk(walked, exceptions)
    print(json.dumps({"methods": methods(), "walked": sorted(walked.names)}))


if __name__ == "__main__":
    main(sys.argv[1])
