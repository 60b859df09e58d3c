//! Stakes on four families, until verified webhooks call each final: cargo run -- svc-verify.mjs <data folder>.
use serde_json::{from_str, json, Value};
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::{env, error::Error, fs};
use ureq::OrAnyStatus;
type Outcome<T> = Result<T, Box<dyn Error>>;

const ORDERS: [[&str; 5]; 4] = [
    ["evm", "evm-three/native", "delegate", "address", "100"],
    ["cosmos", "hub-one/native", "stake", "pubkey", "2"],
    ["svm", "svm-one/native", "stake", "wallet_address", "2"],
    ["move", "move-one/native", "stake", "wallet_address", "2"],
];
const KEY: [&str; 2] = ["x-api-key", "apiKey"];
const TOKEN: [&str; 2] = ["token", "managementToken"];

/// Returns the text of an answer as it came, and the number of the account that is beside it on Cosmos.
fn call(to: &Value, by: [&str; 2], line: &str, body: &str) -> Outcome<(String, Value)> {
    let (method, path) = line.split_once(' ').unwrap();
    let text = |name| to[name].as_str().unwrap();
    let url = format!("{}/api/v1/{path}", text("baseUrl"));
    let request = ureq::request(method, &url).set("content-type", "application/json");
    let request = request.set(by[0], text(by[1])).send_string(body);
    let answer = request.or_any_status()?;
    let (status, number) = (answer.status(), json!(answer.header("x-account-number")));
    let text = answer.into_string()?;
    match status < 300 {
        true => Ok((text, number)),
        false => Err(format!("{url} answered {status}: {text}").into()),
    }
}

fn main() -> Outcome<()> {
    let (program, data) = (env::args().nth(1).unwrap(), env::args().nth(2).unwrap());
    let sandbox: Value = from_str(&fs::read_to_string(format!("{data}/sandbox.json"))?)?;
    let manage = |line: &str, body: &str| -> Outcome<Value> {
        Ok(from_str(&call(&sandbox, TOKEN, line, body)?.0)?)
    };
    let mut command = Command::new("node");
    command.args([&program, "serve", "--trust", &format!("{data}/trust.json")]);
    let child = command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = child.spawn()?;
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut count = 0;
    // Whatever the check does not find right is an error, its end too: do not sign, do not use.
    let mut ask = |task: &str, mut question: Value| -> Outcome<Value> {
        count += 1;
        (question["v"], question["id"], question["do"]) = (1.into(), count.into(), task.into());
        writeln!(input, "{question}")?;
        let answer: Value = from_str(&output.next().ok_or("The check has ended.")??)?;
        match answer["ok"] == true && answer["v"] == 1 && answer["id"] == count {
            true => Ok(answer),
            false => Err(answer.to_string().into()),
        }
    };
    let receiver = tiny_http::Server::http("127.0.0.1:0").unwrap();
    let url = format!("http://{}/", receiver.server_addr());
    let hook = json!({"url": url, "events": ["transaction.final"]});
    let hook = manage("POST webhooks", &hook.to_string())?;
    let about = manage("GET sandbox", "")?;
    for [family, protocol, action, name, amount] in ORDERS {
        let mut wallets = about["wallets"].as_array().unwrap().iter();
        let wallet = wallets.rfind(|each| each["family"] == family).unwrap();
        let signer = wallet["public_key"].as_str().or(wallet["address"].as_str());
        let request = json!({name: signer, "amount": amount}).to_string();
        let path = format!("POST {protocol}/action");
        let (craft, number) = call(&sandbox, KEY, &format!("{path}/{action}"), &request)?;
        let mut question = json!({"protocol": protocol, "action": action,
            "request": request, "craft": craft, "headers": {"x-account-number": number}});
        let checked = ask("check", question.clone())?;
        let payload = checked["sign"]["payload_hex"].as_str().unwrap();
        // Here stands your custodian: it gets the payload of the check, and nothing else.
        let asked = json!({"family": family, "address": wallet["address"],
            "payload": format!("0x{payload}")});
        question["signature"] = manage("POST sandbox/wallets/sign", &asked.to_string())?;
        let done = ask("assemble", question)?;
        let signed = done["signed"].to_string();
        call(&sandbox, KEY, &format!("{path}/broadcast"), &signed)?;
        let mut hash = Value::Null;
        while hash != done["tx_hash"] {
            let mut delivery = receiver.recv()?;
            let (mut body, mut headers) = (String::new(), json!({}));
            delivery.as_reader().read_to_string(&mut body)?;
            for header in delivery.headers() {
                headers[header.field.to_string()] = json!(header.value.to_string());
            }
            let webhook = json!({"headers": headers, "body": body, "keys": [hook["secret"]]});
            let event = ask("webhook", webhook).unwrap_or_default();
            let status = if event["ok"] == true { 204 } else { 400 };
            delivery.respond(tiny_http::Response::empty(status))?;
            hash = event["content"]["data"]["tx_hash"].clone();
        }
        println!("{family}: {} {hash} is final", done["sentence"]);
    }
    let end = format!("DELETE webhooks/{}", hook["ulid"].as_str().unwrap());
    call(&sandbox, TOKEN, &end, "").map(|_| ())
}
