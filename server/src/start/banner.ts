import { relative } from 'node:path'
import type { SandboxService } from '../sandbox.ts'

/** Writes the text that a person needs to use a started sandbox, 80 columns wide except for longer words. */
export function banner({ file, path, trustPath, service }: SandboxService): string {
  const { baseUrl, controlUrl, apiKey, managementToken, operatorToken, publicKeyPem } = file
  // Where the page is installed.
  const dashboard = service.app.hasRoute({ method: 'GET', url: '/dashboard' })
    ? [pair('Dashboard', `${baseUrl}/dashboard  leads through a first stake`)]
    : []
  return [
    rule('The sandbox is running'),
    '',
    ...dashboard,
    pair('Service', baseUrl),
    pair('Console', `${baseUrl}/docs`),
    pair('Control', `${controlUrl}  moves time, funds, causes faults`),
    pair('All of this', `${shown(path)}, for programs`),
    pair('Trust', `${shown(trustPath)}, what a client pins`),
    '',
    'Operator token (header token; signs in to the dashboard, sees all accounts)',
    `  ${operatorToken}`,
    'API key (header X-API-KEY)',
    `  ${apiKey}`,
    'Management token (header token, for /api/v1/apikeys)',
    `  ${managementToken}`,
    '',
    ...wallets(file.wallets),
    `Public key of x-signature (GET ${baseUrl}/api/v1/public-key)`,
    ...publicKeyPem
      .trim()
      .split('\n')
      .map((line) => `  ${line}`),
    '',
    ...firstCraft(file, service.plugins),
    rule('Ctrl-C stops it'),
  ].join('\n')
}

/** From here, where it is below. */
function shown(path: string): string {
  const near = relative('', path)
  return near.startsWith('..') ? path : near
}

function rule(title: string): string {
  return `--- ${title} ${'-'.repeat(75 - title.length)}`
}

function pair(name: string, value: string): string {
  return `${name.padEnd(12)} ${value}`
}

type Wallets = SandboxService['file']['wallets']

/** The first of each family, in whatever words the family has for a wallet. */
function wallets(families: Wallets): string[] {
  return Object.entries(families).flatMap(([family, [first, ...more]]) => {
    if (!first) return []
    const others = more.length > 0 ? `, ${more.length} more in sandbox.json` : ''
    return [`Funded ${family} wallet${others}`, '  PUBLIC TEST KEY - NEVER USE IT ELSEWHERE', ...members(first), '']
  })
}

/** A wallet's members line by line; those of a member that has several, below its name. */
function members(wallet: object): string[] {
  const entries: [string, unknown][] = Object.entries(wallet)
  return entries.flatMap(([name, value]) => {
    if (typeof value !== 'object' || value === null) return line(name, value)
    return Object.entries(value).flatMap(([part, each]) => line(part, each))
  })
}

/** Next to its name where that fits, else below it. */
function line(name: string, value: unknown): string[] {
  const text = String(value)
  return 14 + text.length <= 80 ? [`  ${name.padEnd(11)} ${text}`] : [`  ${name}`, `    ${text}`]
}

/** A ready-made call of the first action that asks for nothing but who signs, whom a wallet here names, and an amount. */
function firstCraft({ baseUrl, apiKey, wallets }: SandboxService['file'], plugins: SandboxService['service']['plugins']): string[] {
  for (const { plugin } of plugins) {
    const { kit, prefix, actions } = plugin.protocol
    const [wallet] = new Map<string, readonly object[]>(Object.entries(wallets)).get(kit.family) ?? []
    const signer = wallet && new Map<string, unknown>(Object.entries(wallet)).get(kit.signer)
    const members = ['amount', kit.signer].sort().join()
    const [action] = Object.entries(actions).find(([, { body }]) => Object.keys(body).sort().join() === members) ?? []
    if (typeof signer !== 'string' || !action) continue
    return [
      'A first transaction, unsigned',
      `  curl -s ${baseUrl}/api/v1${prefix}/action/${action} \\`,
      `    -H 'X-API-KEY: ${apiKey}' \\`,
      "    -H 'Content-Type: application/json' \\",
      `    -d '{"${kit.signer}":"${signer}","amount":100}'`,
      '',
    ]
  }
  return []
}
