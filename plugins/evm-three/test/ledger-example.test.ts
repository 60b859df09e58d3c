import { readFileSync } from 'node:fs'
import { bookSince, startStage } from '@svc/conformance'
import { evmFamily } from '@svc/conformance/evm'
import { exactNumber, formatAmount } from '@svc/contract'
import t from 'tap'
import { scenario, validatorId } from '../sandbox/index.ts'
import plugin from '../src/index.ts'
import { elsewhere } from './support/wealth.ts'

const stage = await startStage({ plugin, scenario, family: evmFamily })
t.teardown(() => stage.close())

const DOCUMENT = new URL('../../../docs/ledger.md', import.meta.url)

t.test('the worked example of docs/ledger.md is what the local chain and the book say', async (t) => {
  const player = await stage.player()
  const { address } = player.wallet
  const settle = () => stage.world.operate('mine', { blocks: 4 })
  await settle()
  const opened = await bookSince(stage, address, null)

  await player.act('delegate', { amount: exactNumber('1000.000000000000000003') })
  await player.advance({ epochs: 2 })
  await player.act('claim-rewards')
  await elsewhere(stage.world.rpcUrl, address, 'undelegate', [validatorId, 400n * 10n ** 18n, 7])
  await player.advance({ epochs: 2 })
  await player.act('withdraw', { withdrawId: 7 })
  await player.act('compound')
  await settle()

  const closed = await bookSince(stage, address, opened)
  if (closed.kind !== 'closed') throw new TypeError('something has happened')
  t.equal(closed.closing.complete, true)
  const mon = (amount: bigint) => formatAmount(amount, 18)
  const rows = closed.closing.entries.map(({ kind, amount, from, to }) => `| ${kind} | ${mon(amount)} | ${from} | ${to} |`)
  const buckets = Object.entries(closed.reading.amounts).map(([bucket, amount]) => `| ${bucket} | ${mon(amount)} |`)
  const text = readFileSync(DOCUMENT, 'utf8')
  for (const [name, lines] of [
    ['entries', rows],
    ['closing', buckets],
  ] as const) {
    const [, shown = ''] = new RegExp(`<!-- example: ${name} -->\\n((?:\\|.*\\n)+)`).exec(text) ?? []
    t.same(shown.trimEnd().split('\n').slice(2), lines, name)
  }
})
