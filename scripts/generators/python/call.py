"""Calls the service with the client that openapi-generator has made for Python, and prints what it has read."""

import json, os

from svc import ApiClient, Configuration, EvmOneVaultOneApi, EvmThreeNativeApi, EvmThreeNativeDelegateBody, Refusal
from svc.exceptions import ApiException

env = os.environ
client = ApiClient(Configuration(host=env["SVC_URL"], api_key={"apiKey": env["SVC_API_KEY"]}))
monad = EvmThreeNativeApi(client)


def delegate(amount):
    return monad.post_evm_three_native_action_delegate(EvmThreeNativeDelegateBody(address=env["SVC_WALLET"], amount=env[amount]))


craft = delegate("SVC_AMOUNT")
balance = monad.get_evm_three_native_staking_balance_by_address(env["SVC_STAKER"])
history = EvmOneVaultOneApi(client).get_evm_one_vault_one_historic_by_address(env["SVC_WALLET"])
read = {"bytes": craft.serialized_tx_hex, "balance": balance.stake_activation_amount, "created": str(history[0].created_at)}
try:
    delegate("SVC_TOO_FINE")
except ApiException as exception:
    refusal = exception.data
    assert isinstance(refusal, Refusal), type(refusal)
    read["refusal"] = {"status": exception.status, "code": refusal.code, "error": refusal.error}
print(json.dumps(read))
