"""Stakes on four families, until verified webhooks call each final: python3 stake.py svc-verify.mjs <data folder>. Needs nothing but Python."""

import http.server, json, subprocess, sys, urllib.error, urllib.request

ORDERS = {  # path of the protocol, its action, and the body for a wallet
    "evm": ("evm-three/native", "delegate", lambda wallet: {"address": wallet["address"], "amount": 100}),
    "cosmos": ("hub-one/native", "stake", lambda wallet: {"pubkey": wallet["public_key"], "amount": 2}),
    "svm": ("svm-one/native", "stake", lambda wallet: {"wallet_address": wallet["address"], "amount": 2}),
    "move": ("move-one/native", "stake", lambda wallet: {"wallet_address": wallet["address"], "amount": 2}),
}


class Check:
    """A child process that reads transactions and webhooks, and answers a line with a line."""

    def __init__(self, program, trust):
        command = ["node", program, "serve", "--trust", trust]
        self.child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")
        self.count = 0

    def ask(self, do, **question):
        """Raises ValueError for all that was not found right, the end of the stream too: do not sign, do not use."""
        self.count += 1
        self.child.stdin.write(json.dumps({"v": 1, "id": self.count, "do": do, **question}) + "\n")
        self.child.stdin.flush()
        answer = json.loads(self.child.stdout.readline() or "{}")
        if answer.get("ok") is True and answer.get("v") == 1 and answer.get("id") == self.count:
            return answer
        raise ValueError(f"{answer.get('code', 'nothing was checked')}: {answer.get('sentence', '')} {answer.get('mismatches', '')}")


class Receiver(http.server.BaseHTTPRequestHandler):
    """Takes a delivery that the webhook's secret has signed within the last minutes, and refuses any other."""

    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"])).decode()
        try:
            checked = self.server.check.ask("webhook", headers=dict(self.headers), body=body, keys=[self.server.secret])
            self.server.finals.add(checked["content"]["data"]["tx_hash"])
            self.send_response(204)
        except ValueError as error:
            print(f"refused: {error}", file=sys.stderr)
            self.send_response(400)
        self.end_headers()

    def log_request(self, *_):
        pass


def call(method, url, body=None, **credential):
    """Returns text and headers of an answer; the text is handed on as it came."""
    headers = {"content-type": "application/json", **{name.replace("_", "-"): value for name, value in credential.items()}}
    try:
        request = urllib.request.Request(url, None if body is None else body.encode(), headers, method=method)
        with urllib.request.urlopen(request) as answer:
            return answer.read().decode(), dict(answer.headers)
    except urllib.error.HTTPError as error:
        sys.exit(f"{url} answered {error.code}: {error.read().decode()}")


def stake(base, key, token, check, family, wallet):
    path, action, order = ORDERS[family]
    request = json.dumps(order(wallet))
    craft, headers = call("POST", f"{base}/{path}/action/{action}", request, x_api_key=key)
    question = {"protocol": path, "action": action, "request": request, "craft": craft, "headers": headers}
    sign = check.ask("check", **question)["sign"]
    # Here stands your custodian: it gets the payload of the check, and nothing else.
    asked = json.dumps({"family": family, "address": wallet["address"], "payload": "0x" + sign["payload_hex"]})
    signature = json.loads(call("POST", f"{base}/sandbox/wallets/sign", asked, token=token)[0])
    done = check.ask("assemble", signature=signature, **question)
    call("POST", f"{base}/{path}/action/broadcast", json.dumps(done["signed"]), x_api_key=key)
    return done


def main(program, data):
    with open(f"{data}/sandbox.json", encoding="utf-8") as file:
        sandbox = json.load(file)
    base, key, token = sandbox["baseUrl"] + "/api/v1", sandbox["apiKey"], sandbox["managementToken"]
    server = http.server.HTTPServer(("127.0.0.1", 0), Receiver)
    server.check, server.finals = Check(program, f"{data}/trust.json"), set()
    wish = json.dumps({"url": f"http://127.0.0.1:{server.server_port}/", "events": ["transaction.final"]})
    hook = json.loads(call("POST", f"{base}/webhooks", wish, token=token)[0])
    server.secret = hook["secret"]
    wallets = json.loads(call("GET", f"{base}/sandbox", token=token)[0])["wallets"]
    for family in ORDERS:
        wallet = [each for each in wallets if each["family"] == family][-1]
        done = stake(base, key, token, server.check, family, wallet)
        while done["tx_hash"] not in server.finals:
            server.handle_request()
        print(f"{family}: {done['sentence']} {done['tx_hash']} is final", flush=True)
    call("DELETE", f"{base}/webhooks/{hook['ulid']}", token=token)


main(*sys.argv[1:])
