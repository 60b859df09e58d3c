"""Stakes on four families: python3 stake.py svc-verify.mjs [sandbox.json]. Needs nothing but Python."""

import json, os, subprocess, sys, urllib.error, urllib.request

HOME = os.environ.get("SVC_DATA") or os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../.svc")
ORDERS = {  # path of the protocol, its action, and the body for a wallet
    "evm": ("evm-three/native", "delegate", lambda wallet: {"address": wallet["address"], "amount": 100}),
    "cosmos": ("hub-one/native", "stake", lambda wallet: {"pubkey": wallet["public_key"], "amount": 2}),
    "svm": ("svm-one/native", "stake", lambda wallet: {"wallet_address": wallet["address"], "amount": 2}),
    "move": ("move-one/native", "stake", lambda wallet: {"wallet_address": wallet["address"], "amount": 2}),
}


def fail(sentence):
    sys.exit(sentence)


class Check:
    """A child process that reads transactions, and answers a line with a line."""

    def __init__(self, program, trust):
        command = ["node", program, "serve", "--trust", trust]
        self.child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")
        self.count = 0

    def ask(self, **question):
        self.count += 1
        self.child.stdin.write(json.dumps({"v": 1, "id": self.count, **question}) + "\n")
        self.child.stdin.flush()
        line = self.child.stdout.readline()
        answer = json.loads(line) if line else {}
        if answer.get("ok") is True and answer.get("v") == 1 and answer.get("id") == self.count:
            return answer
        fail(f"Not signed: {answer.get('code', 'nothing was checked')}: {answer.get('sentence', '')} {answer.get('mismatches', '')}")


def call(url, body=None, **credential):
    """Returns text and headers of an answer; the text is handed on as it came."""
    headers = {"content-type": "application/json", **{name.replace("_", "-"): value for name, value in credential.items()}}
    try:
        request = urllib.request.Request(url, None if body is None else body.encode(), headers)
        with urllib.request.urlopen(request) as answer:
            return answer.read().decode(), dict(answer.headers)
    except urllib.error.HTTPError as error:
        fail(f"{url} answered {error.code}: {error.read().decode()}")


def stake(sandbox, check, family, wallet):
    path, action, order = ORDERS[family]
    base, key = sandbox["baseUrl"], {"x_api_key": sandbox["apiKey"]}
    url = f"{base}/api/v1/{path}/action"
    request = json.dumps(order(wallet))
    craft, headers = call(f"{url}/{action}", request, **key)
    question = {"protocol": path, "action": action, "request": request, "craft": craft, "headers": headers}
    sign = check.ask(do="check", **question)["sign"]
    # Here stands your custodian: it gets the payload of the check, and nothing else.
    asked = json.dumps({"family": family, "address": wallet["address"], "payload": "0x" + sign["payload_hex"]})
    signed = json.loads(call(f"{base}/api/v1/sandbox/wallets/sign", asked, token=sandbox["managementToken"])[0])
    signature = {"signature": signed["signature"], "public_key": signed["public_key"]} if family == "move" else signed["signature"]
    done = check.ask(do="assemble", signature=signature, **question)
    prepared = json.loads(call(f"{url}/prepare", json.dumps(done["prepare"]), **key)[0])
    if any(prepared.get(name) != text for name, text in done["signed"].items()):
        fail("Not sent: what was prepared is not what was signed.")
    sent = json.loads(call(f"{url}/broadcast", json.dumps(done["signed"]), **key)[0])
    if sent["tx_hash"] != done["tx_hash"]:
        fail(f"The service names {sent['tx_hash']}; what was sent is {done['tx_hash']}: look that up.")
    print(f"{family}: {done['sentence']} {done['tx_hash']}")


def main(program, data=HOME):
    with open(os.path.join(data, "sandbox.json"), encoding="utf-8") as file:
        sandbox = json.load(file)
    about = json.loads(call(f"{sandbox['baseUrl']}/api/v1/sandbox", token=sandbox["managementToken"])[0])
    trust = os.path.join(data, "trust.json")  # of a service of yours it comes by another way, and is kept
    with open(trust, "w", encoding="utf-8") as file:
        json.dump(about["trust"], file)
    check = Check(program, trust)
    for family in ORDERS:
        wallet = [each for each in about["wallets"] if each["family"] == family][-1]
        stake(sandbox, check, family, wallet)


main(*sys.argv[1:])
