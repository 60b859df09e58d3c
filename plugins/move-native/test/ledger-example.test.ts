import { readFileSync } from 'node:fs'
import { bookSince, startStage } from '@svc/conformance'
import { moveFamily } from '@svc/conformance/move'
import { exactNumber, formatAmount } from '@svc/contract'
import t from 'tap'
import { scenarios } from '../sandbox/index.ts'
import plugin from '../src/index.ts'
import { onChain } from './chain.ts'
import { keyOf } from './wealth.ts'

const { scenario, chain } = onChain(scenarios[0]!)
const stage = await startStage({ plugin, scenario, family: moveFamily })
t.teardown(() => stage.close())

const DOCUMENT = new URL('../../../docs/ledger.md', import.meta.url)
const SUI = 1_000_000_000n

t.test('the worked example of docs/ledger.md is what the local chain and the book say', async (t) => {
  const player = await stage.player()
  const { address } = player.wallet
  const key = keyOf({ player })
  const first = async () => (await player.position()).objects!.find(({ activationEpoch }) => activationEpoch !== null)!.id
  const split = async (amount: bigint, then: (part: string) => Promise<unknown>) => {
    const id = await first()
    const [part = ''] = await chain().run(
      key,
      (tx) => tx.moveCall({ target: '0x3::staking_pool::split_staked_sui', arguments: [tx.object(id), tx.pure.u64(amount)] }),
      '::StakedSui',
    )
    await then(part)
  }
  const opened = await bookSince(stage, address, null)

  await player.act('stake', { amount: exactNumber('1000.000000003') })
  await player.advance({ epochs: 3 })
  await split(400n * SUI, (part) =>
    chain().run(key, (tx) => tx.transferObjects([tx.object(part)], chain().move.validator('atlas').address)),
  )
  await split(100n * SUI, (part) =>
    chain().run(key, (tx) => {
      const [share] = tx.moveCall({
        target: '0x3::sui_system::convert_to_fungible_staked_sui',
        arguments: [tx.object.system({ mutable: true }), tx.object(part)],
      })
      tx.transferObjects([share!], address)
    }),
  )
  await player.advance({ epochs: 2 })
  await player.act('unstake', { staked_sui_object_id: await first() })
  await player.act('stake', { amount: 77 })
  await player.advance({ seconds: 1 })

  const closed = await bookSince(stage, address, opened)
  if (closed.kind !== 'closed') throw new TypeError('something has happened')
  t.equal(closed.closing.complete, true)
  const place = (key: string) => key.replace(/:0x.*/, '')
  const sui = (amount: bigint) => formatAmount(amount, 9)
  const rows = closed.closing.entries.map(({ kind, amount, from, to }) => `| ${kind} | ${sui(amount)} | ${place(from)} | ${place(to)} |`)
  const buckets = Object.entries(closed.reading.amounts).map(([bucket, amount]) => `| ${place(bucket)} | ${sui(amount)} |`)
  const text = readFileSync(DOCUMENT, 'utf8')
  for (const [name, lines] of [
    ['entries of stakes', rows],
    ['closing of stakes', buckets],
  ] as const) {
    const [, shown = ''] = new RegExp(`<!-- example: ${name} -->\\n((?:\\|.*\\n)+)`).exec(text) ?? []
    t.same(shown.trimEnd().split('\n').slice(2), lines, name)
  }
})
