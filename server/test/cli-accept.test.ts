import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createCredential, loadConfig, start } from '@svc/core'
import { eventually } from '@svc/testing/eventually'
import { desk } from '@svc/testing/paper'
import t from 'tap'
import { folder, svc } from './cli-process.ts'

const run = promisify(execFile)
const TERMS =
  "console.log(new (require('node:sqlite').DatabaseSync)('.svc/service.sqlite', { readOnly: true }).prepare('select terms from svc_conditions').all())"
const CONFIG = `
import { protocol } from '${import.meta.resolve('@svc/contract')}'
import { PaperAddress, paperKit } from '${import.meta.resolve('@svc/testing/paper')}'
import { give, NO_TERMS } from '${import.meta.resolve('@svc/testing/paper-protocol')}'

const { definePlugin } = protocol(paperKit(), { clerk: PaperAddress })
const plugin = definePlugin({
  name: '@svc/plugin-paper', prefix: '/paper/native', summary: 'Papers.', maxFee: '1', actions: { give: { ...give, obstacles: [] }, take: give },
  balance: async () => ({}), info: async () => NO_TERMS, inspect: async () => {},
  async condition() {
    const terms = [{ kind: 'power', name: 'owner', value: globalThis[Symbol.for('paper owner')], effectiveEpoch: null }]
    return [{ kind: 'pool', id: 'p', state: 'active', reason: null, commissionPercent: null, terms }]
  },
})
export default {
  listen: { port: 0 },
  plugins: { '@svc/plugin-paper': { module: plugin, networks: { 1: { name: 'one', endpoints: { desk: ['http://127.0.0.1:9'] }, clerk: 'p002' } } } },
  accounts: { acme: { name: 'Acme' } },
}
`

t.test('an operator accepts who has a power, by name and with a note, and a service that runs stakes again', async (t) => {
  const cwd = await folder(t)
  const file = join(cwd, 'svc.config.ts')
  await writeFile(file, CONFIG)
  const serving = async (owner: string) => {
    Object.assign(globalThis, { [Symbol.for('paper owner')]: owner })
    const service = await start(await loadConfig(file, {}), { fetch: desk(), logger: false })
    const { value } = await createCredential(service.store, service.secrets.peppers, new Date(), {
      kind: 'key',
      account: 'acme',
      name: 'k',
    })
    return {
      service,
      async code(action: string) {
        const request = { method: 'POST' as const, url: `/api/v1/paper/native/action/${action}`, headers: { 'x-api-key': value } }
        return (await service.app.inject({ ...request, payload: { address: 'p001', amount: 1 } })).json().code ?? 'crafted'
      },
    }
  }
  /** Terms as they were compared last: read by a process of its own, since another library of SQLite in this one would take the service's locks away. */
  const compared = async () => (await run(process.execPath, ['--no-warnings', '-e', TERMS], { cwd })).stdout
  const become = (owner: string) => eventually(`the owner is ${owner}`, compared, (terms) => terms.includes(`"${owner}"`), 200)
  const accept = (...words: string[]) => svc(['accept', ...words, '--protocol', 'paper', '--note', 'announced on the forum'], { cwd })

  const first = await serving('alice')
  await become('alice')
  t.equal(await first.code('give'), 'crafted')
  await first.service.close()
  t.match((await svc(['check', '--json'], { cwd })).stdout, /no change of a power over what is staked with waits to be accepted/)

  const second = await serving('bob')
  await become('bob')
  await eventually(
    'stake is refused',
    () => second.code('give'),
    (code) => code === 'CONTROL_CHANGED',
  )
  t.equal(await second.code('take'), 'crafted')
  const { warnings, state } = JSON.parse((await svc(['check', '--json'], { cwd })).stdout)
  t.match(
    warnings.find((each: string) => each.startsWith('control: ')),
    /nothing is staked where the holder of a power is not accepted: paper 1: owner of the pool p is bob and was alice \(seen .*\); accept it by `svc accept owner bob --protocol paper --network 1 --note '<why>'`\.$/,
  )
  t.match(
    state.find(({ part }: { part: string }) => part === 'control'),
    { state: 'WARNING', text: '1 change of a power waits to be accepted, and nothing is staked there' },
  )

  for (const [words, refusal] of [
    [
      ['owner', 'mallory', '--network', '1'],
      /waits for the owner mallory to be accepted\. What waits: owner of the pool p is bob and was alice .*svc accept owner bob/,
    ],
    [['owner', 'none', '--network', '1'], /waits for the owner nobody to be accepted/],
    [['owner', 'bob', '--network', '2'], /The config has no network 2 of paper\./],
    [['owner', 'bob', '--network', '1', '--note', ' '], /It must be one line of 1 to 200 characters/],
    [['owner', 'bob'], /required option '--network <id>' not specified/],
  ] as const) {
    const { code, stdout, stderr } = await accept(...words)
    t.match([code, stdout, stderr], [1, '', refusal])
  }
  t.equal(await second.code('give'), 'CONTROL_CHANGED')

  const done = await accept('owner', 'bob', '--network', '1')
  t.match([done.code, done.stdout, done.stderr], [0, /^Accepted: owner of the pool p is bob and was alice \(seen [-\dT:.]+Z\)\.\n$/, ''])
  await eventually(
    'stake is taken again',
    () => second.code('give'),
    (code) => code === 'crafted',
  )
  await second.service.close()
  const audit = await svc(['audit', '--json', '--action', 'accept-control'], { cwd })
  t.match(JSON.parse(audit.stdout), {
    ...{ action: 'accept-control', method: 'CLI', route: 'svc accept', status: 200, target: null },
    changes: {
      protocol: 'paper',
      network: '1',
      aspect: 'owner',
      holder: 'bob',
      note: 'announced on the forum',
      accepted: [{ id: 'p', before: 'alice' }],
    },
  })
})
