//! Stakes on four families, and waits until a verified webhook calls each final: cargo run -- svc-verify.mjs [data folder].

mod check;
mod webhook;

use check::Check;
use serde_json::{json, Value};
use std::{env, fmt::Display, fs, path::Path, process::exit};

fn fail(sentence: impl Display) -> ! {
    eprintln!("{sentence}");
    exit(1)
}

fn must<T, E: Display>(result: Result<T, E>) -> T {
    result.unwrap_or_else(|error| fail(error))
}

fn parsed(text: &str) -> Value {
    must(serde_json::from_str(text))
}

/// Returns text and headers of an answer; the text is handed on as it came.
fn call(method: &str, url: &str, body: &str, header: &str, credential: &Value) -> (String, Value) {
    let request = ureq::request(method, url).set("content-type", "application/json").set(header, credential.as_str().unwrap());
    match if body.is_empty() { request.call() } else { request.send_string(body) } {
        Ok(answer) => {
            let headers = answer.headers_names().iter().map(|name| (name.clone(), json!(answer.header(name)))).collect();
            (must(answer.into_string()), Value::Object(headers))
        }
        Err(ureq::Error::Status(status, answer)) => fail(format!("{url} answered {status}: {}", must(answer.into_string()))),
        Err(error) => fail(error),
    }
}

fn stake(sandbox: &Value, check: &mut Check, family: &str, wallet: &Value, path: &str, action: &str, order: Value) -> String {
    let base = sandbox["baseUrl"].as_str().unwrap();
    let (key, url) = (&sandbox["apiKey"], format!("{base}/api/v1/{path}/action"));
    let request = order.to_string();
    let (craft, headers) = call("POST", &format!("{url}/{action}"), &request, "x-api-key", key);
    let question = json!({"protocol": path, "action": action, "request": request, "craft": craft, "headers": headers});
    let sign = must(check.ask("check", &question, json!({})))["sign"].clone();
    // Here stands your custodian: it gets the payload of the check, and nothing else.
    let payload = format!("0x{}", sign["payload_hex"].as_str().unwrap());
    let asked = json!({"family": family, "address": wallet["address"], "payload": payload}).to_string();
    let signed = parsed(&call("POST", &format!("{base}/api/v1/sandbox/wallets/sign"), &asked, "token", &sandbox["managementToken"]).0);
    let signature = if family == "move" { signed.clone() } else { signed["signature"].clone() };
    let done = must(check.ask("assemble", &question, json!({"signature": signature})));
    let prepared = parsed(&call("POST", &format!("{url}/prepare"), &done["prepare"].to_string(), "x-api-key", key).0);
    if done["signed"].as_object().unwrap().iter().any(|(name, text)| prepared[name] != *text) {
        fail("Not sent: what was prepared is not what was signed.");
    }
    let sent = parsed(&call("POST", &format!("{url}/broadcast"), &done["signed"].to_string(), "x-api-key", key).0);
    if sent["tx_hash"] != done["tx_hash"] {
        fail(format!("The service names {}; what was sent is {}: look that up.", sent["tx_hash"], done["tx_hash"]));
    }
    println!("{family}: {} {}", done["sentence"].as_str().unwrap(), done["tx_hash"].as_str().unwrap());
    done["tx_hash"].as_str().unwrap().into()
}

fn main() {
    let data = env::args().nth(2).or(env::var("SVC_DATA").ok()).unwrap_or("../../../.svc".into());
    let program = env::args().nth(1).unwrap_or_else(|| fail("Usage: stake svc-verify.mjs [data folder]"));
    let sandbox = parsed(&must(fs::read_to_string(Path::new(&data).join("sandbox.json"))));
    let (base, token) = (sandbox["baseUrl"].as_str().unwrap(), &sandbox["managementToken"]);
    let about = parsed(&call("GET", &format!("{base}/api/v1/sandbox"), "", "token", token).0);
    let trust = Path::new(&data).join("trust.json"); // of a service of yours it comes by another way, and is kept
    must(fs::write(&trust, about["trust"].to_string()));
    let mut check = Check::start(&program, &trust);
    let receiver = must(tiny_http::Server::http("127.0.0.1:0"));
    let hook = json!({"url": format!("http://{}/", receiver.server_addr()), "events": ["transaction.*"]}).to_string();
    let hook = parsed(&call("POST", &format!("{base}/api/v1/webhooks"), &hook, "token", token).0);
    let orders = [
        ("evm", "evm-three/native", "delegate", "address", "address", 100),
        ("cosmos", "hub-one/native", "stake", "pubkey", "public_key", 2),
        ("svm", "svm-one/native", "stake", "wallet_address", "address", 2),
        ("move", "move-one/native", "stake", "wallet_address", "address", 2),
    ];
    let mut open = vec![];
    for (family, path, action, signer, from, amount) in orders {
        // Of each family the last wallet is the one that is left.
        let wallet = about["wallets"].as_array().unwrap().iter().rfind(|each| each["family"] == family).unwrap();
        let order = json!({signer: wallet[from], "amount": amount});
        open.push(stake(&sandbox, &mut check, family, wallet, path, action, order));
    }
    while !open.is_empty() {
        let message = webhook::receive(&receiver, hook["secret"].as_str().unwrap());
        let done = |hash: &String| message["type"] == "transaction.final" && message["data"]["tx_hash"] == **hash;
        if let Some(place) = open.iter().position(done) {
            println!("final: {}", open.remove(place));
        }
    }
    call("DELETE", &format!("{base}/api/v1/webhooks/{}", hook["ulid"].as_str().unwrap()), "", "token", token);
}
