import { SigningKey, Transaction, Wallet } from 'ethers'
import { Webhook } from 'standardwebhooks'
import t from 'tap'
import { evm, trust } from './support/answers.ts'
import { exampleOf, openFolder } from './support/folder.ts'
import { type Answer, Program } from './support/program.ts'

// Lines that somebody, or something, has changed: each is answered with a line, nothing ends the program or makes it grow, and what was changed is not called right.

/** Lines that are changed and asked; SVC_LINES is another number, and SVC_SEED has them changed otherwise. */
const LINES = Number(process.env.SVC_LINES ?? 3_000)
const SEED = Number(process.env.SVC_SEED ?? 20_261_129)
/** Lines that are under way at a time, so that what is sent does not wait in memory. */
const WINDOW = 50
/** Heap of the program, in megabytes: less than all questions together, so that one which keeps what it was asked ends before it has answered them. */
const HEAP_MB = 64

const folder = await openFolder(t, {
  '@svc/intent-evm-three': 'plugins/evm-three/intent',
  '@svc/intent-hub': 'packages/intent-hub',
  '@svc/intent-svm-native': 'plugins/svm-native/intent',
  '@svc/intent-move-native': 'plugins/move-native/intent',
})
const of = (path: string, chainId: string, caip2: string, decimals: number, symbol: string, max_fee: string, more: object) => ({
  path,
  networks: [{ default: true, terms: { chainId, caip2, decimals, symbol, max_fee, ...more } }],
})
/** Validators with which the recorded examples stake. */
const [SVM, MOVE] = ['HhGs98mVkJt8pWjC3sMeuZDcR2GyRmog7VdevVLLv4ah', '0x491b80634249ce0a42e401cc7087ce36c0815ac2c74916a182ec214128cd3d41']
await folder.write('trust.json', {
  ...trust,
  protocols: [
    ...trust.protocols,
    of('/svm-one/native', 'mainnet-beta', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', 9, 'SOL', '0.001', {
      fee_ceiling: 25,
      validator: SVM,
    }),
    of('/move-one/native', 'mainnet', 'sui:mainnet', 9, 'SUI', '0.5', {
      chain_identifier: '4btiuiMPvEENsttpZC7CZ53DruC3MAgfznDbASZ7DR6S',
      validator: MOVE,
    }),
  ],
})

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const body = '{"type":"transaction.final","timestamp":"2026-11-29T10:00:00.000Z","data":{"tx_hash":"0x12"}}'
const sentAt = new Date()

/** A question of each kind, and of each family, that is answered with ok. */
async function questions(): Promise<readonly object[]> {
  const key = new SigningKey(`0x${'11'.repeat(32)}`)
  const delegate = { protocol: 'evm-three', action: 'delegate', request: evm.request, craft: JSON.stringify(evm.craft) }
  const signed_tx = await new Wallet(key).signTransaction(Transaction.from(evm.craft.serialized_tx_hex))
  const recorded = async (plugin: string, protocol: string, headers = {}) => {
    const { request, response } = await exampleOf(plugin, 'post /action/stake')
    return { do: 'check', protocol, action: 'stake', request: JSON.stringify(request), craft: JSON.stringify(response), headers }
  }
  const transactions = ['hub-one', 'svm-native', 'move-native'].map(async (plugin) => {
    const { request } = await exampleOf(plugin, 'post /action/inspect')
    return {
      do: 'explain',
      protocol: { 'hub-one': 'hub-one', 'svm-native': 'svm-one', 'move-native': 'move-one' }[plugin],
      transaction: request.transaction,
    }
  })
  const headers = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('msg_1', sentAt, body),
  }
  return [
    { do: 'hello' },
    { do: 'check', ...delegate },
    { do: 'payloads', ...delegate, facts: { nonce: 0 } },
    { do: 'assemble', ...delegate, signature: key.sign(evm.craft.unsigned_tx_hash_hex).serialized },
    { do: 'signed', ...delegate, signed_tx, chosen: ['nonce'] },
    { do: 'explain', protocol: 'evm-three', transaction: signed_tx },
    await recorded('svm-native', 'svm-one'),
    await recorded('move-native', 'move-one'),
    ...(await Promise.all(transactions)),
    { do: 'webhook', headers, body, keys: [secret] },
  ]
}

/** Makes numbers below a bound, the same of each seed. */
function randomOf(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const PIECES = [
  '"',
  '{',
  '}',
  '[',
  ']',
  '\\',
  '\\"',
  ',',
  ':',
  '0',
  '-1',
  'f',
  'null',
  'true',
  '1e999',
  '__proto__',
  '\\u0000',
  '\ud800',
  '\u2028',
  'ÿ',
  '',
  '0'.repeat(500),
]

/** Changes a line at up to four places: puts something in, takes something out, writes a digit otherwise, doubles or cuts. */
function changed(line: string, random: (below: number) => number): string {
  let text = line
  for (let times = 1 + random(4); times > 0; times--) {
    const at = random(text.length)
    const kind = random(10)
    if (kind === 0) text = text.slice(0, at)
    else if (kind === 1) text = text.slice(0, at) + text.slice(random(text.length))
    else if (kind < 5) text = text.slice(0, at) + '0123456789abcdef'[random(16)] + text.slice(at + 1)
    else text = text.slice(0, at) + PIECES[random(PIECES.length)] + text.slice(at + random(3))
  }
  return text.replaceAll('\n', ' ')
}

/**
 * What an answer calls right, as one text; null for one that lets nothing be signed, sent or used. Fee, nonce and block hash are left out, which no question here pins, and on EVM chains who
 * signs, which is the asker's own word.
 */
function allowance({ ok, sentence, moves, sign, signed, content }: Answer): string | null {
  return ok === true && (sign ?? signed ?? content) ? JSON.stringify([String(sentence).split(';')[0], moves, content]) : null
}

t.test(`${LINES} changed lines, by the seed ${SEED}`, async (t) => {
  process.env.NODE_OPTIONS = `--max-old-space-size=${HEAP_MB}`
  const program = new Program(t, folder.path, '--trust', 'trust.json')
  delete process.env.NODE_OPTIONS
  const good = (await questions()).map((question) => JSON.stringify({ v: 1, id: 1, ...question }))
  const allowed = new Set<string | null>([null])
  for (const line of good) {
    program.send(line)
    const answer = await program.next()
    t.equal(answer.ok, true, JSON.stringify(answer).slice(0, 300))
    allowed.add(allowance(answer))
  }
  const random = randomOf(SEED)
  const counts: Record<string, number> = {}
  for (let asked = 0; asked < LINES; ) {
    const lines: string[] = []
    for (; lines.length < WINDOW && asked < LINES; asked++) {
      const line = changed(good[random(good.length)] ?? '', random)
      lines.push(line.trim() === '' ? '{}' : line)
    }
    for (const line of lines) program.send(line)
    for (const line of lines) {
      const answer = await program.next()
      const name = answer.ok === true ? 'ok' : String(answer.code)
      counts[name] = (counts[name] ?? 0) + 1
      const isWhole = answer.v === 1 && 'ok' in answer && (answer.ok || typeof answer.sentence === 'string')
      if (!isWhole || name === 'INTERNAL' || /\n {4}at /.test(JSON.stringify(answer))) t.fail(`no answer: ${line.slice(0, 2_000)}`, answer)
      if (!allowed.has(allowance(answer))) t.fail(`called right: ${line.slice(0, 2_000)}`, answer)
    }
  }
  t.comment(JSON.stringify(counts))
  for (const name of ['ok', 'ASKED_WRONG', 'MISMATCH', 'SIGNATURE', 'NOT_AUTHENTIC']) t.ok((counts[name] ?? 0) > 0, `${name} was answered`)
  t.match(await program.ask({ do: 'hello' }), { ok: true }, 'and the program still answers')
})
