# Requests as integrators of such an API paste them: base address, key and wallet are filled in, and nothing else is known. Each block is run on its own.

# the vault
curl -sS "$BASE/api/v1/evm-one/vault-one/vault" \
  -H "X-API-KEY: $API_KEY" \
  -H "X-NETWORK: 560048"

# networks
curl -sS "$BASE/api/v1/evm-one/vault-one/networks" \
  -H "X-API-KEY: $API_KEY"

# a position
curl -sS "$BASE/api/v1/evm-one/vault-one/staking-balance/$ADDRESS" \
  -H "X-API-KEY: $API_KEY" \
  -H "X-NETWORK: 1"

# what an address has done
curl -sS "$BASE/api/v1/evm-one/vault-one/historic/$ADDRESS" \
  -H "X-API-KEY: $API_KEY" \
  -H "X-NETWORK: 1"

# a week of an address
curl -sS "$BASE/api/v1/evm-one/vault-one/stats/$ADDRESS?days=7" \
  -H "X-API-KEY: $API_KEY" \
  -H "X-NETWORK: 1"

# a stake in the vault
curl -sS -X POST "$BASE/api/v1/evm-one/vault-one/action/stake" \
  -H "X-API-KEY: $API_KEY" \
  -H "X-NETWORK: 1" \
  -H "Content-Type: application/json" \
  -d "{\"address\": \"$ADDRESS\", \"amount\": 0.5}"

# a delegation without a network
curl -sS -X POST "$BASE/api/v1/evm-three/native/action/delegate" \
  -H "X-API-KEY: $API_KEY" \
  -H "Content-Type: application/json" \
  -d "{\"address\": \"$ADDRESS\", \"amount\": 1.5}"

# health without a key
curl -sS "$BASE/api/v1/health"

# an exit before there is a stake
curl -sS -X POST "$BASE/api/v1/evm-one/vault-one/action/unstake" \
  -H "X-API-KEY: $API_KEY" \
  -H "X-NETWORK: 1" \
  -H "Content-Type: application/json" \
  -d "{\"address\": \"$ADDRESS\", \"amount\": 0.2}"

# a withdrawal before there is an exit
curl -sS -X POST "$BASE/api/v1/evm-one/vault-one/action/withdraw" \
  -H "X-API-KEY: $API_KEY" \
  -H "X-NETWORK: 1" \
  -H "Content-Type: application/json" \
  -d "{\"address\": \"$ADDRESS\"}"

# the balance of older days
curl -sS "$BASE/api/v1/evm-one/vault-one/stake-balance/$ADDRESS" \
  -H "X-API-KEY: $API_KEY" \
  -H "X-NETWORK: 1"

# the exit queue of older days
curl -sS "$BASE/api/v1/evm-one/vault-one/exited-balance/$ADDRESS" \
  -H "X-API-KEY: $API_KEY" \
  -H "X-NETWORK: 1"

# the balance of a liquid token of older days
curl -sS "$BASE/api/v1/evm-three/liquid-a/balance/$ADDRESS" \
  -H "X-API-KEY: $API_KEY"

# a prefix alone
curl -sS "$BASE/api/v1/evm-one/vault-one" \
  -H "X-API-KEY: $API_KEY"

# a protocol by the name of its chain
curl -sS "$BASE/api/v1/ethereum/vault/networks" \
  -H "X-API-KEY: $API_KEY"

# a network that is none
curl -sS "$BASE/api/v1/evm-one/vault-one/vault" \
  -H "X-API-KEY: $API_KEY" \
  -H "X-NETWORK: mainnet"

# an address in place of a public key
curl -sS -X POST "$BASE/api/v1/hub-one/native/action/stake" \
  -H "X-API-KEY: $API_KEY" \
  -H "Content-Type: application/json" \
  -d '{"pubkey": "cosmos1pkptre7fdkl6gfrzlesjjvhxhlc3r4gmmk8rs6", "amount": 1}'

# a member by another name
curl -sS -X POST "$BASE/api/v1/evm-three/native/action/delegate" \
  -H "X-API-KEY: $API_KEY" \
  -H "Content-Type: application/json" \
  -d "{\"delegatorAddress\": \"$ADDRESS\", \"amount\": 1}"

# a validator of the caller's own
curl -sS -X POST "$BASE/api/v1/move-one/native/action/stake" \
  -H "X-API-KEY: $API_KEY" \
  -H "Content-Type: application/json" \
  -d '{"wallet_address": "0x0b04a30158a022c1159efde4ffae99d12505e1653ef98e3a14799ed5c92d0d02", "validator_address": "0x1", "amount": 1}'

# a key as a bearer token
curl -sS "$BASE/api/v1/evm-three/native/networks" \
  -H "Authorization: Bearer $API_KEY"
