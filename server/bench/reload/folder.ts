import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** An operator's folder with plugins of a family that needs no chain, for what is about the service and not about a protocol. */
interface PaperFolder {
  readonly cwd: string
  /** Installs a plugin whose prefix is `/<name>/native`; a file `throw` in its folder has it throw where nobody catches it. */
  install(name: string): Promise<string>
  /** Writes the config: the plugins with their clerk, behind it those that were it before, and what is laid over it. @example { first: 'p004 p002' } */
  configure(clerks: Readonly<Record<string, string>>, over?: object): Promise<void>
}

const plugin = (name: string) => `
import { unlinkSync } from 'node:fs'
import { Former, protocol } from '${import.meta.resolve('@svc/contract')}'
import { PaperAddress, paperKit } from '${import.meta.resolve('@svc/testing/paper')}'
import { NO_TERMS } from '${import.meta.resolve('@svc/testing/paper-protocol')}'

setInterval(() => {
  try {
    unlinkSync(new URL('throw', import.meta.url))
  } catch {
    return
  }
  throw new TypeError('a timer of a plugin')
}, 20).unref()
const { definePlugin } = protocol(paperKit(), { clerk: PaperAddress, former_validators: Former(PaperAddress, 'clerks') })
export default definePlugin({
  name: '${name}', prefix: '/${name}/native', summary: 'Papers.', maxFee: '1', actions: {},
  validators: ({ clerk, former_validators: former }) => [clerk, ...former],
  balance: async () => ({}), info: async () => NO_TERMS, inspect: async () => {},
})
`

/** Makes `cwd` an operator's folder, which has no plugin until one is installed. */
export async function paperFolder(cwd: string): Promise<PaperFolder> {
  const installed: string[] = []
  return {
    cwd,
    async install(name) {
      const home = join(cwd, 'node_modules', name)
      await mkdir(home, { recursive: true })
      const manifest = { name, version: '1.0.0', type: 'module', exports: './index.js', svc: { contract: 1 } }
      await writeFile(join(home, 'package.json'), JSON.stringify(manifest))
      await writeFile(join(home, 'index.js'), plugin(name))
      installed.push(name)
      const dependencies = Object.fromEntries(installed.map((each) => [each, '1']))
      await writeFile(join(cwd, 'package.json'), JSON.stringify({ name: 'operator', dependencies }))
      return home
    },
    async configure(clerks, over = {}) {
      const network = ([clerk, ...former]: readonly string[]) => {
        const endpoints = { desk: ['http://127.0.0.1:9'] }
        return { name: `with ${clerk}`, endpoints, clerk, ...(former.length > 0 ? { former_validators: former } : {}) }
      }
      const plugins = Object.entries(clerks).map(([name, clerk]) => [name, { networks: { 1: network(clerk.split(' ')) } }])
      const config = {
        listen: { port: 0 },
        plugins: Object.fromEntries(plugins),
        accounts: { acme: { name: 'Acme' } },
        limits: { key_per_minute: 1_000_000_000, address_per_minute: 1_000_000_000 },
        log_level: 'info',
        ...over,
      }
      // Whole or not at all, as an editor saves it.
      await writeFile(join(cwd, 'next.json'), JSON.stringify(config))
      await rename(join(cwd, 'next.json'), join(cwd, 'svc.config.json'))
    },
  }
}
