use base64::{engine::general_purpose::STANDARD, Engine};
use hmac::{Hmac, Mac};
use serde_json::Value;
use std::time::{SystemTime, UNIX_EPOCH};

/// Seconds by which the time of a delivery may differ from this machine's.
const TOLERANCE: u64 = 300;

/// Waits for a delivery that the webhook's secret has signed within the last minutes; any other one is refused, and nothing of it is used.
pub fn receive(server: &tiny_http::Server, secret: &str) -> Value {
    let key = STANDARD.decode(secret.trim_start_matches("whsec_")).expect("a secret: whsec_ and base64");
    loop {
        let mut request = server.recv().expect("a request");
        let mut body = String::new();
        let is_read = request.as_reader().read_to_string(&mut body).is_ok();
        let header = |name| request.headers().iter().find(|each| each.field.to_string().eq_ignore_ascii_case(name)).map_or("", |each| each.value.as_str());
        let (id, time, signatures) = (header("webhook-id"), header("webhook-timestamp"), header("webhook-signature"));
        let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("a clock").as_secs();
        let mut mac = Hmac::<sha2::Sha256>::new_from_slice(&key).expect("a key of any length");
        mac.update(format!("{id}.{time}.{body}").as_bytes());
        let holds = |each: &str| STANDARD.decode(each.trim_start_matches("v1,")).is_ok_and(|given| mac.clone().verify_slice(&given).is_ok());
        let is_right = is_read && now.abs_diff(time.parse().unwrap_or(0)) <= TOLERANCE && signatures.split(' ').any(holds);
        if !is_right {
            println!("refused: {id}");
        }
        let _ = request.respond(tiny_http::Response::empty(if is_right { 204 } else { 400 }));
        if is_right {
            return serde_json::from_str(&body).expect("JSON, which was signed");
        }
    }
}
