import { setTimeout as wait } from 'node:timers/promises'
import { until } from '../../programs.ts'
import type { Report } from '../../report.ts'
import type { Service } from '../../service.ts'
import { readAccount, readDelivered } from '../books.ts'
import type { Chain } from '../chain.ts'
import { createJudge } from '../judge.ts'
import { delegate, send } from '../messages.ts'
import type { Player } from '../player.ts'
import { createSender, type Sender } from '../sender.ts'
import type { SignedTransaction } from '../transaction.ts'

/** Wallets of these lives. */
export const STATE_WALLETS = ['plain', 'overtaken', 'emptied', 'payer', 'waits', 'ahead', 'dropped', 'fresh']
/** The node that the service of these lives asks: without an index, and with few blocks. */
export const SPARSE = 3

const TOKEN = 1_000_000n
/** Time that a node may take to forget a block, in seconds, on the slower of the chains. */
const FORGET_SECONDS = 400
/** A minute after a transaction was taken it is told that no node holds it; with room for a busy machine. */
const NOT_HELD_SECONDS = 120
/** Tries to have two transactions in one block. */
const TRIES = 8

/** A service on the sparse node of a chain. */
interface Sparse {
  readonly player: Player
  readonly service: Service
}

/** Answer of the service to a broadcast. */
interface Sent {
  readonly http: number
  readonly code: string
  readonly text: string
}

/** Plays what a node does that keeps no index and few blocks: landing, a rival, a block that holds what the checks refuse, forgetting. */
export async function sparseLife(report: Report, { player, service }: Sparse): Promise<void> {
  const { chain } = player
  const { family } = chain
  const sender = createSender(chain)
  const judge = createJudge(report, family)
  const plain = chain.wallet('plain')
  const landed = await player.act(plain, 'stake', 5n * TOKEN)
  judge.landed(landed)
  judge.position(await player.position(plain), 'plain')
  judge.close()

  const overtaken = await player.craft(chain.wallet('overtaken'), 'stake', 5n * TOKEN)
  await track(service, chain, overtaken.base64)
  await sender.land(overtaken.wallet, [send(overtaken.wallet.address, plain.address, { [family.denom]: 1n })])
  const beaten = await settled(player, overtaken.hash)
  report.check(
    'what a rival has overtaken is replaced or open, and never anything else',
    ['replaced', 'pending', 'unknown'].includes(beaten.status),
    beaten,
  )
  const refusal = await broadcast(service, chain, overtaken.base64)
  // Where it was told as replaced, the service answers by its own row and names the rival; without an index the node cannot always say by whom.
  const isNamed =
    refusal.code === 'TRANSACTION_REPLACED' && beaten.status === 'replaced' && /transaction [0-9A-F]{64} has used/.test(refusal.text)
  report.check(
    'sent then, it is refused since its sequence is used',
    isNamed || ['SEQUENCE_USED', 'SEQUENCE_UNCLEAR'].includes(refusal.code),
    refusal,
  )

  await refusedInBlock(report, { player, service }, sender)

  const { rpc } = chain.nodes[SPARSE]
  await until('the node forgets the block', FORGET_SECONDS, async () => {
    const { sync_info } = await rpc.call('status')
    return BigInt((sync_info as { earliest_block_height: string }).earliest_block_height) > landed.delivered.height
  })
  const again = await broadcast(service, chain, landed.base64)
  report.check('what landed and was forgotten, and is sent again, is never advised to be crafted anew', !advisesAnew(again), again)
  const { body } = await player.status(landed.hash)
  report.equal('it stays final', body.status, 'final')
}

/** A block that holds a transaction whose fee an earlier one in it has spent: nothing was charged, and the same bytes land later. */
async function refusedInBlock(report: Report, { player, service }: Sparse, sender: Sender): Promise<void> {
  const { chain } = player
  const { family, nodes } = chain
  const [wallet, payer] = [chain.wallet('emptied'), chain.wallet('payer')]
  const fee = (400_000n * family.gasPrice) / 1_000_000n
  for (let tries = 1; tries <= TRIES; tries++) {
    const { sequence } = await readAccount(nodes[0].rpc, wallet.address)
    const { coins } = await player.position(wallet).then(({ books }) => books.at(-1) ?? { coins: 0n })
    const emptying = await sender.write(wallet, [send(wallet.address, payer.address, { [family.denom]: coins - fee })])
    const stake = await sender.write(wallet, [delegate(wallet.address, player.validator, family.denom, TOKEN)], { sequence: sequence + 1n })
    await sender.give(emptying, SPARSE)
    const answer = await broadcast(service, chain, stake.base64)
    await until('the emptying transaction in a block', 120, () => readDelivered(nodes[0].rpc, family.keepsResults, emptying.hash))
    await chain.pass(1)
    const delivery = await readDelivered(nodes[0].rpc, family.keepsResults, stake.hash)
    const body = await open(
      report,
      player,
      stake,
      delivery === null ? 'one that was dropped before its block' : 'one that the checks refused in its block',
    )
    await sender.land(payer, [send(payer.address, wallet.address, { [family.denom]: 100n * TOKEN })])
    if (delivery === null && answer.http === 200 && tries < TRIES) {
      // It waited for the next block, in which it was not put: the other case is wanted.
      await landAgain(report, { player, service }, stake)
      continue
    }
    report.check('a block holds a transaction that the checks refuse', delivery !== null && delivery.code !== 0, {
      refused: delivery,
      taken: answer,
      body,
    })
    await landAgain(report, { player, service }, stake)
    return
  }
}

/** Plays what happens around a chain that stands still and nodes that start anew. Nothing else may be going on. */
export async function haltedLife(report: Report, sparse: Sparse): Promise<void> {
  const { player, service } = sparse
  const { chain } = player
  const { family, nodes } = chain
  const sender = createSender(chain)
  const stake = (name: string) => player.craft(chain.wallet(name), 'stake', 5n * TOKEN)

  // Half of the power is gone, so that what is sent waits for as long as it is wanted.
  await Promise.all([nodes[1].stop(), nodes[2].stop()])
  await until('the chain stands still', 120, async () => {
    const height = await nodes[0].rpc.height()
    await wait(family.blockSeconds * 2_000)
    return height === (await nodes[0].rpc.height())
  })

  const beaten = await stake('waits')
  const rival = await sender.write(beaten.wallet, [send(beaten.wallet.address, chain.wallet('plain').address, { [family.denom]: 1n })])
  report.equal('a rival waits', (await sender.give(rival, SPARSE)).code, 0)
  report.say(`beside a rival that waits: ${JSON.stringify(await notUsed(report, sparse, beaten.base64, 'while a rival only waits'))}`)
  await open(report, player, beaten, 'one beside which a rival waits')

  const early = chain.wallet('ahead')
  const { sequence } = await readAccount(nodes[0].rpc, early.address)
  const ahead = await sender.write(early, [delegate(early.address, player.validator, family.denom, TOKEN)], { sequence: sequence + 1n })
  report.say(`a sequence ahead: ${JSON.stringify(await notUsed(report, sparse, ahead.base64, 'whose sequence is ahead'))}`)
  await open(report, player, ahead, 'one whose sequence is ahead')

  const dropped = await stake('dropped')
  await player.send(dropped)
  await open(report, player, dropped, 'one that waits')
  const fresh = await stake('fresh')

  await Promise.all([nodes[0].stop(), nodes[SPARSE].stop()])
  await Promise.all([nodes[0].start(), nodes[SPARSE].start()])
  const early503 = await broadcast(service, chain, fresh.base64)
  report.check('a node that has just started is not the fault of who signed', early503.http === 200 || early503.http >= 500, early503)
  report.say(`at a node that has just started: ${JSON.stringify(early503)}`)
  await open(report, player, dropped, 'one that every node has dropped')

  await Promise.all([nodes[1].start(), nodes[2].start()])
  await chain.pass(3)
  const answer = await open(report, player, dropped, 'one that every node has dropped, blocks later')
  const isBack = await until('the service sends it again, or says that no node holds it', NOT_HELD_SECONDS, async () => {
    const { body } = await player.status(dropped.hash)
    return body.finality === 'final' || (body.status === 'pending' && /same bytes again/.test(JSON.stringify(body.error)))
  }).catch(() => false)
  report.check('it is sent again by itself, or said that the same bytes can be', isBack === true, answer)
  await landAgain(report, sparse, dropped)
  await landAgain(report, sparse, fresh)
  // The rival is gone as well: had another stake been signed, there would be two.
  await landAgain(report, sparse, beaten)
  await sender.land(early, [send(early.address, chain.wallet('plain').address, { [family.denom]: 1n })])
  await landAgain(report, sparse, ahead)
}

/** Sends bytes that cannot be used yet, and looks whether anybody is told that they never can. */
async function notUsed(report: Report, { service, player }: Sparse, base64: string, when: string): Promise<Sent> {
  const sent = await broadcast(service, player.chain, base64)
  report.check(`nobody is advised to craft anew ${when}`, sent.http === 200 || (sent.code !== 'SEQUENCE_USED' && !advisesAnew(sent)), sent)
  return sent
}

/** Looks at a transaction that can still land: no end may be told of it, but that it landed where it did, since the service may have sent it again. */
async function open(report: Report, player: Player, { hash }: Pick<SignedTransaction, 'hash'>, which: string) {
  const { http, body } = await player.status(hash)
  const isFinal = http === 200 && body.status === 'final'
  const { rpc } = player.chain.nodes[0]
  const landed = isFinal && (await readDelivered(rpc, player.chain.family.keepsResults, hash))
  const ended = http === 200 && !isFinal && (body.finality === 'final' || ['failed', 'replaced', 'expired'].includes(body.status))
  report.check(`no end is told of ${which}`, !ended && http !== 502 && (!isFinal || (landed !== false && landed?.code === 0)), {
    http,
    body,
  })
  return body
}

/** Sends the same bytes again, and waits for them to be final. */
async function landAgain(
  report: Report,
  { player, service }: Sparse,
  { hash, base64 }: Pick<SignedTransaction, 'hash' | 'base64'>,
): Promise<void> {
  const { chain } = player
  await until('the same bytes are taken', 120, async () => {
    if (await readDelivered(chain.nodes[0].rpc, chain.family.keepsResults, hash).then((delivery) => delivery?.code === 0)) return true
    return (await broadcast(service, chain, base64)).http === 200
  })
  const body = await settled(player, hash)
  report.check(
    'the same bytes land when they are sent again, and that is told as final',
    body.status === 'final' && body.certainty === 'proven',
    body,
  )
}

async function settled(player: Player, hash: string) {
  const { blockSeconds } = player.chain.family
  return until(`an end of ${hash}`, 60 + 10 * blockSeconds, async () => {
    const { http, body } = await player.status(hash)
    return http === 200 && (body.finality === 'final' || (body.certainty === 'proven' && body.status === 'replaced')) && body
  }).catch(async () => (await player.status(hash)).body)
}

async function broadcast(service: Service, { family }: Chain, base64: string): Promise<Sent> {
  const body = { signed_tx_hex: Buffer.from(base64, 'base64').toString('hex') }
  const { status, body: answer } = await service.ask('POST', `/api/v1${family.intent.path}/action/broadcast`, {
    body,
    network: family.chainId,
  })
  return { http: status, code: String(answer.code ?? ''), text: String(answer.error ?? '') }
}

async function track(service: Service, { family }: Chain, base64: string): Promise<void> {
  const body = { signed_tx_hex: Buffer.from(base64, 'base64').toString('hex') }
  await service.ask('POST', `/api/v1${family.intent.path}/transaction/track`, { body, network: family.chainId })
}

/** Tells whether a sentence tells its reader to make another transaction. */
function advisesAnew({ text }: Sent): boolean {
  return /craft (it )?(again|anew)|sign (it )?anew/i.test(text)
}
