"""Calls the service with the client that openapi-python-client has made, and prints what it has read."""

import json, os

from svc import AuthenticatedClient
from svc.api.evm_one_vault_one import get_evm_one_vault_one_historic_by_address as historic
from svc.api.evm_three_native import get_evm_three_native_staking_balance_by_address as staking_balance
from svc.api.evm_three_native import post_evm_three_native_action_delegate as action_delegate
from svc.models import EvmThreeNativeDelegateBody, Refusal

env = os.environ
client = AuthenticatedClient(base_url=env["SVC_URL"], token=env["SVC_API_KEY"], prefix="", auth_header_name="X-API-KEY")


def delegate(amount):
    body = EvmThreeNativeDelegateBody(address=env["SVC_WALLET"], amount=env[amount])
    return action_delegate.sync_detailed(client=client, body=body)


craft = delegate("SVC_AMOUNT").parsed
balance = staking_balance.sync(env["SVC_STAKER"], client=client)
history = historic.sync(env["SVC_WALLET"], client=client)
refused = delegate("SVC_TOO_FINE")
refusal = refused.parsed
assert isinstance(refusal, Refusal), type(refusal)
read = {"bytes": craft.serialized_tx_hex, "balance": balance.stake_activation_amount, "created": str(history[0].created_at)}
read["refusal"] = {"status": int(refused.status_code), "code": refusal.code, "error": refusal.error}
print(json.dumps(read))
