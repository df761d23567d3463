"""No generated call reaches beyond this machine: where an address of an endpoint could, it is one of loopback."""

import schemathesis


@schemathesis.hook
def before_call(context, case, kwargs):
    body = case.body
    if isinstance(body, dict) and isinstance(body.get("address"), str) and "://" in body["address"]:
        body["address"] = "https://127.0.0.1:9/"
