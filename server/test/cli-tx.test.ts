import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createCredential, loadConfig, start } from '@svc/core'
import t from 'tap'
import { folder, svc } from './cli-process.ts'

const HASH = 'h-known|seal'
const CONFIG = `
import { protocol } from '${import.meta.resolve('@svc/contract')}'
import { PaperAddress, paperKit } from '${import.meta.resolve('@svc/testing/paper')}'
import { NO_TERMS } from '${import.meta.resolve('@svc/testing/paper-protocol')}'

const seen = {
  status: 'final', finality: 'final', certainty: 'proven', block: { height: 77n, hash: 'b77', time: new Date('2026-11-22T12:00:04Z') }, fee: 5n, receipt: 'r', error: null,
  replacedBy: null, validUntil: null, lookedAt: 80n, keep: {},
}
const life = {
  hash(text) { if (!text.startsWith('h-')) throw new Error('no hash'); return text },
  bounds: () => ({ wallet: 'p001', validUntil: { kind: 'nonce', value: '5', estimatedAt: null }, facts: {} }),
  validUntil: () => ({}),
  look: async ({ network }, { txHash }) => {
    if (network.chainId === '2') throw new Error('no node answers')
    if (txHash !== 'h-known|seal') return { ...seen, status: 'unknown', finality: 'none', block: null, fee: null, receipt: null }
    const status = globalThis[Symbol.for('paper status')] ?? 'final'
    return { ...seen, status, finality: status }
  },
}
const { definePlugin } = protocol(paperKit({ life }), { clerk: PaperAddress })
const plugin = definePlugin({
  name: '@svc/plugin-paper', prefix: '/paper/native', summary: 'Papers.', maxFee: '1', actions: {}, symbol: 'PAP',
  balance: async () => ({}), info: async () => NO_TERMS, inspect: async () => {},
  moved: () => ({ moves: [{ kind: 'staked', asset: 'native', amount: 2n * 10n ** 18n }], objectIds: ['7'] }),
})
const network = { endpoints: { desk: ['http://127.0.0.1:9'] }, clerk: 'p002' }
export default {
  listen: { port: 0 },
  plugins: { '@svc/plugin-paper': { module: plugin, networks: { 1: { name: 'one', ...network }, 2: { name: '2', ...network } } } },
  accounts: { acme: { name: 'Acme' } },
}
`

t.test('what became of a transaction is told in words, from the own database and from the chain', async (t) => {
  const cwd = await folder(t)
  const file = join(cwd, 'svc.config.ts')
  await writeFile(file, CONFIG)
  const answers: typeof fetch = async () => Response.json({})
  const service = await start(await loadConfig(file, {}), { fetch: answers, logger: false })
  const made = await createCredential(service.store, service.secrets.peppers, new Date(), { kind: 'key', account: 'acme', name: 'test' })
  const call = (method: 'GET' | 'POST', path: string, payload?: object) =>
    service.app.inject({
      method,
      url: `/api/v1/paper/native/${path}`,
      headers: { 'x-api-key': made.value },
      ...(payload ? { payload } : {}),
    })
  Object.assign(globalThis, { [Symbol.for('paper status')]: 'included' })
  const sent = (await call('POST', 'action/broadcast', { signed_text: 'known|seal' })).json()
  t.equal(sent.tx_hash, HASH)
  t.match((await call('GET', `transaction/${encodeURIComponent(HASH)}`)).json(), { status: 'included' })
  await service.close()

  const [known, json, asked, unknown, foreign] = await Promise.all([
    svc(['tx', HASH], { cwd }),
    svc(['tx', 'u-known', '--json'], { cwd }),
    svc(['tx', HASH, '--ask'], { cwd }),
    svc(['tx', 'h-other'], { cwd }),
    svc(['tx', 'h-other', '--ask'], { cwd }),
  ])
  t.equal(known.code, 0, known.stderr)
  for (const expected of [
    /^h-known\|seal\n {2}on paper one \(1, paper:1\), for acme, of p001\n {2}included, in a block that may be reorganised, proven/,
    /^TIME {18}WHAT\n[-\dT:]+Z {2}broadcast; audit record [0-9A-Z]{26}\n[-\dT:]+Z {2}taken by an endpoint\n[-\dT:]+Z {2}included/m,
    /^(?!2026-11-22T12:00:04Z)[-\dT:]+Z {2}included, in a block that may be reorganised, in block 77 of 2026-11-22T12:00:04Z by the chain; told as transaction\.included/m,
    /Fee {9}0\.000000000000000005 PAP\nMoved {7}staked 2 PAP\nMade {8}7/,
    /Valid until another transaction has nonce 5; it does not end by itself/,
  ])
    t.match(known.stdout, expected)
  t.match(JSON.parse(json.stdout), {
    transactions: [{ row: { tx_hash: HASH, request_id: /./, status: 'included' }, steps: [{ action: 'broadcast', request_id: /./ }] }],
    asked: [],
  })
  t.equal(asked.code, 0, asked.stderr)
  t.match(
    asked.stdout,
    /Asked now: h-known\|seal\n {2}on paper one \(1, paper:1\)\n {2}final, proven, in block 77 of 2026-11-22T12:00:04Z by the chain/,
  )
  t.match([unknown.code, unknown.stdout, unknown.stderr], [1, '', /No transaction h-other is followed here/])
  t.equal(foreign.code, 0, foreign.stderr)
  t.match(foreign.stdout, /on paper one \(1, paper:1\)\n {2}unknown/)
  t.match(foreign.stdout, /on paper 2 \(paper:2\)\n {2}it could not be told: no node answers/)
})
