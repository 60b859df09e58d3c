// Parts of a config as JSON, each the smallest that is true. @see server/config.example.ts

/** Enables a protocol for every account. */
export const PLUGIN_CONFIG = `"plugins": {
  "@svc/plugin-evm-three": {
    "networks": {
      "143": {
        "name": "mainnet",
        "validator_id": 12,
        "endpoints": { "rpc": ["https://rpc.example.com"] }
      }
    }
  }
}`

/** An account that may use one of the protocols, with a validator of its own. @param id of the account */
export function accountConfig(id: string, name: string): string {
  return `"accounts": {
  ${JSON.stringify(id)}: {
    "name": ${JSON.stringify(name)},
    "plugins": {
      "@svc/plugin-evm-three": { "networks": { "143": { "validator_id": 34 } } }
    }
  }
}`
}
