"""What an integrator writes with the generated client: python-client.py PLACE DOCUMENT BASE KEY."""

import importlib
import json
import pkgutil
import sys
from datetime import datetime

place, document, base, key = sys.argv[1:]
sys.path.insert(0, place)

import client.models as models  # noqa: E402
from client.api.risks import create_risk, list_risks, update_risk  # noqa: E402
from client.client import AuthenticatedClient  # noqa: E402
from client.models import Likelihood, Impact, Level, Risk, RiskCreation, RiskPage, RiskStatus, RiskUpdate  # noqa: E402

imported = [importlib.import_module(f"client.models.{one.name}") for one in pkgutil.iter_modules(models.__path__)]
print(len(imported), "models import")


def settled(value):
    """Times alike, however they are written; and nothing that says null."""
    if isinstance(value, dict):
        return {name: settled(part) for name, part in value.items()}
    if isinstance(value, list):
        return [settled(part) for part in value]
    if isinstance(value, str) and len(value) > 18 and value[4] == "-" and "T" in value:
        return datetime.fromisoformat(value).timestamp()
    return value


with open(document) as file:
    api = json.load(file)
contents = [
    content
    for response in api["components"]["responses"].values()
    for content in response.get("content", {}).values()
]
operations = [one for path in api["paths"].values() for one in path.values()]
operations += [one["post"] for one in api["webhooks"].values()]
contents += [c for one in operations for c in one.get("requestBody", {}).get("content", {}).values()]
names = {name.lower(): name for name in dir(models) if name[0].isupper()}
for content in contents:
    name = content["schema"]["$ref"].split("/")[-1]
    model = getattr(models, names[name.lower()])
    there_and_back = model.from_dict(content["example"]).to_dict()
    if settled(there_and_back) != settled(content["example"]):
        sys.exit(f"{name}: {json.dumps(there_and_back)} is not {json.dumps(content['example'])}")
print(len(contents), "examples go through their models and come back")

with AuthenticatedClient(base_url=base, token=key, raise_on_unexpected_status=True) as one:
    given = RiskCreation(title="Unpatched gateway", likelihood=Likelihood.POSSIBLE, impact=Impact.MAJOR)
    made = create_risk.sync(client=one, body=given)
    assert isinstance(made, Risk) and made.risk_level == Level.HIGH, made
    changed = update_risk.sync(made.id, client=one, body=RiskUpdate(status=RiskStatus.ASSESSED))
    assert isinstance(changed, Risk) and changed.status == RiskStatus.ASSESSED, changed
    again = update_risk.sync(made.id, client=one, body=RiskUpdate.from_dict(changed.to_dict()))
    assert isinstance(again, Risk) and again.version == changed.version, again
    page = list_risks.sync(client=one, limit=5)
    assert isinstance(page, RiskPage) and made.id in [row.id for row in page.data], page
print("created, changed and listed")
