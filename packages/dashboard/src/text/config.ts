// Parts of a config as JSON, each the smallest that is true. @see server/config.example.ts

/** A plugin that nobody has: which ones there are and what settings each takes, their READMEs say. */
const PACKAGE = '@acme/plugin-own'
const NETWORK = '1'
/** Setting that the sample has beside what every network has, for all accounts and for one. */
const SETTING = { validator: 'as its README says' }

/** Enables a protocol for every account. */
export function pluginConfig(): string {
  const members = { name: 'mainnet', ...SETTING, endpoints: { rpc: ['https://rpc.example.com'] } }
  return member('plugins', { [PACKAGE]: { networks: { [NETWORK]: members } } })
}

/** Writes the text of the config for an account that may use one protocol, with a setting of its own. @param id of the account */
export function accountConfig(id: string, name: string): string {
  return member('accounts', { [id]: { name, plugins: { [PACKAGE]: { networks: { [NETWORK]: SETTING } } } } })
}

/** A member of a config, as it stands in one: what fits on a line stands on one. */
function member(name: string, value: object): string {
  const lines = JSON.stringify({ [name]: value }, null, 2)
    .split('\n')
    .slice(1, -1)
  const text = lines.map((line) => line.slice(2)).join('\n')
  return text.replace(/\{\n\s+("rpc": )\[\n\s+([^\n]+)\n\s+\]\n\s+\}/g, '{ $1[$2] }')
}
