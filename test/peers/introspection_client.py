"""Makes calls of openstacksdk's introspection proxy, one after the other.

usage: introspection_client.py ENDPOINT

In: a JSON object a line, {"method": name, "args": [...], "kwargs": {...}}. Out, a line each: {"value": ...}, or {"refused": text,
"kind": name of the exception}. The first line out names the proxy's methods: {"methods": [...]}.
"""

import inspect
import json
import sys

import openstack
from openstack import proxy as base
from openstack.baremetal_introspection.v1 import _proxy
from openstack.exceptions import SDKException


def methods():
    shared = set(dir(base.Proxy))
    return [name for name, _ in inspect.getmembers(_proxy.Proxy, callable) if not name.startswith("_") and name not in shared]


def plain(value):
    if hasattr(value, "to_dict"):
        return value.to_dict(computed=False)
    if value is None or isinstance(value, (bool, int, float, str, dict, list)):
        return value
    return [plain(one) for one in value]


def main(endpoint):
    connection = openstack.connection.Connection(
        auth_type="none",
        auth={"endpoint": endpoint},
        baremetal_introspection_endpoint_override=endpoint,
    )
    print(json.dumps({"methods": methods()}), flush=True)
    for line in sys.stdin:
        call = json.loads(line)
        method = getattr(connection.baremetal_introspection, call["method"])
        try:
            answer = {"value": plain(method(*call["args"], **call["kwargs"]))}
        except SDKException as error:
            answer = {"refused": str(error), "kind": type(error).__name__}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
