//! Calls the service with the client that progenitor has made, and prints what it has read.

progenitor::generate_api!(spec = "text.json", interface = Builder);

use reqwest::header::{HeaderMap, HeaderValue};

fn env(name: &str) -> String {
    std::env::var(name).expect(name)
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let mut headers = HeaderMap::new();
    headers.insert("x-api-key", HeaderValue::from_str(&env("SVC_API_KEY")).expect("a key"));
    let http = reqwest::Client::builder().default_headers(headers).build().expect("a client");
    let client = Client::new_with_client(&env("SVC_URL"), http);
    let delegate = |amount: &str| {
        let body = types::EvmThreeNativeDelegateBody::builder().address(env("SVC_WALLET")).amount(env(amount));
        client.post_evm_three_native_action_delegate().body(body).send()
    };
    let craft = delegate("SVC_AMOUNT").await.expect("a craft").into_inner();
    let balance = client.get_evm_three_native_staking_balance_by_address().address(env("SVC_STAKER"));
    let balance = balance.send().await.expect("a balance").into_inner();
    let history = client.get_evm_one_vault_one_historic_by_address().address(env("SVC_WALLET"));
    let history = history.send().await.expect("a history").into_inner();
    let Err(Error::ErrorResponse(refused)) = delegate("SVC_TOO_FINE").await else { panic!("no refusal that is typed") };
    let status = refused.status().as_u16();
    let refusal = refused.into_inner();
    let read = serde_json::json!({
        "bytes": craft.serialized_tx_hex,
        "balance": balance.stake_activation_amount,
        "created": history[0].created_at.to_string(),
        "refusal": { "status": status, "code": refusal.code, "error": refusal.error },
    });
    println!("{read}");
}
