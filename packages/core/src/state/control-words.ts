import { shortName } from '../base/short-name.ts'
import type { Config } from '../config/schema.ts'
import { createAccounts } from '../plugins/accounts.ts'
import { acceptCommand, type PendingControl, wordsOf } from '../plugins/pending-control.ts'

/** Puts the changes that wait for the operator into words, each once, with the command that accepts it; what belongs to no network of the config is left out. */
export function controlWords(
  config: Pick<Config, 'accounts' | 'plugins'>,
  pending: ReadonlyMap<string, readonly PendingControl[]>,
): readonly string[] {
  const accounts = createAccounts(config)
  const words = Object.keys(config.plugins).flatMap((name) =>
    accounts.all(name).flatMap(({ path, chainId: network }) =>
      (pending.get(path) ?? []).map((each) => {
        const protocol = shortName(name)
        const command = acceptCommand({ protocol, network, aspect: each.aspect, holder: each.after })
        return `${protocol} ${network}: ${wordsOf([each])}; accept it by ${command}`
      }),
    ),
  )
  return [...new Set(words)]
}
