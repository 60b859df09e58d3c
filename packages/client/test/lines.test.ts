import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { stat, unlink } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { SigningKey, Transaction, Wallet } from 'ethers'
import t, { type Test } from 'tap'
import { evm, hub, trust } from './support/answers.ts'
import { openFolder } from './support/folder.ts'

// `svc-verify serve` as a program in another language uses it: a line of JSON each way.

const main = fileURLToPath(new URL('../src/cli/main.ts', import.meta.url))
const folder = await openFolder(t, {
  '@svc/intent-evm-three': 'plugins/evm-three/intent',
  '@svc/intent-hub': 'packages/intent-hub',
})
await folder.write('trust.json', trust)
await folder.write('other.json', { ...trust, account: 'other', protocols: [] })

type Answer = Readonly<Record<string, any>>

/** A running program and its two ends. */
class Program {
  readonly child: ChildProcessWithoutNullStreams
  readonly #lines: AsyncIterator<string>
  constructor(t: Test, ...args: readonly string[]) {
    this.child = spawn(process.execPath, ['--conditions=@svc/source', main, 'serve', ...args], { cwd: folder.path, stdio: 'pipe' })
    t.teardown(() => this.child.kill())
    const lines: Interface = createInterface({ input: this.child.stdout })
    this.#lines = lines[Symbol.asyncIterator]()
  }
  send(line: string): void {
    this.child.stdin.write(`${line}\n`)
  }
  async next(): Promise<Answer> {
    const { value } = await this.#lines.next()
    return JSON.parse(value)
  }
  async ask(question: object): Promise<Answer> {
    this.send(JSON.stringify({ v: 1, id: 7, ...question }))
    const answer = await this.next()
    t.equal(answer.id, 7)
    return answer
  }
}

const DELEGATE = { protocol: 'evm-three', action: 'delegate', request: evm.request, craft: JSON.stringify(evm.craft) }
const key = new SigningKey(`0x${'11'.repeat(32)}`)
const signature = key.sign(evm.craft.unsigned_tx_hash_hex)
const base64 = (hex: string) => Buffer.from(hex.slice(2), 'hex').toString('base64')

t.test('what is asked first, what may be signed, and what becomes of the signature in each form', async (t) => {
  const program = new Program(t, '--trust', 'trust.json')
  const hello = await program.ask({ do: 'hello' })
  t.match(hello, { v: 1, ok: true, trust: [{ name: 'default', account: 'acme', sha256: /^[0-9a-f]{64}$/ }] })
  t.same(hello.do, ['hello', 'check', 'payloads', 'assemble', 'signed', 'explain'])

  const checked = await program.ask({ do: 'check', ...DELEGATE })
  const { payloads, ...same } = await program.ask({ do: 'payloads', ...DELEGATE })
  t.same(same, checked, 'bodies for platforms come with the same check')
  t.match(payloads, { dfns: { kind: 'Hash', hash: evm.craft.unsigned_tx_hash_hex }, 'fireblocks-raw': { operation: 'RAW' } })
  const another = { ...DELEGATE, request: evm.request.replace('100', '101') }
  t.match(await program.ask({ do: 'payloads', ...another }), { ok: false, code: 'MISMATCH', payloads: undefined })
  t.match(checked, {
    ok: true,
    sentence: evm.sentence,
    authentic: false,
    moves: [
      { kind: 'leaves', amount: '100' },
      { kind: 'staked', amount: '100' },
    ],
    sign: {
      algorithm: 'secp256k1',
      kind: 'hash',
      signer: '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A',
      payload_hex: evm.craft.unsigned_tx_hash_hex.slice(2),
    },
  })
  t.same(
    checked.assumed.map(({ fact }: { fact: string }) => fact),
    ['nonce', 'gasLimit', 'gasPrice'],
  )

  const whole = await new Wallet(key).signTransaction(Transaction.from(evm.craft.serialized_tx_hex))
  const { hash } = Transaction.from(whole)
  const plain = `${signature.r.slice(2)}${signature.s.slice(2)}`
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
  const highS = (order - BigInt(signature.s)).toString(16).padStart(64, '0')
  const integer = (hex: string) => (Number.parseInt(hex.slice(0, 2), 16) > 0x7f ? `0221 00${hex}` : `0220${hex}`).replace(' ', '')
  const body = integer(signature.r.slice(2)) + integer(signature.s.slice(2))
  const der = `30${(body.length / 2).toString(16)}${body}`
  for (const [form, given] of [
    ['hex', plain],
    ['hex with 0x', `0x${plain}`],
    ['r, s and v', signature.serialized],
    ['DER', der],
    ['base64', base64(`0x${plain}`)],
    ['base64 without padding', base64(`0x${plain}`).replaceAll('=', '')],
    ['base64url', base64(`0x${plain}`).replaceAll('+', '-').replaceAll('/', '_')],
    ['DER in base64', base64(`0x${der}`)],
    ['as Vault writes it', `vault:v3:${base64(`0x${plain}`)}`],
    ['a high s', `${plain.slice(0, 64)}${highS}`],
    ['r and s by name', { r: signature.r, s: signature.s }],
  ] as const) {
    const assembled = await program.ask({ do: 'assemble', ...DELEGATE, signature: given })
    t.match(assembled, { ok: true, sentence: evm.sentence, signed: { signed_tx_hex: whole }, tx_hash: hash }, form)
    t.match(assembled.prepare, { serialized_tx_hex: evm.craft.serialized_tx_hex, r: signature.r, s: signature.s, v: signature.v })
  }
  t.match(await program.ask({ do: 'signed', ...DELEGATE, signed_tx: whole }), {
    ok: true,
    changed: [],
    tx_hash: hash,
    signed: { signed_tx_hex: whole },
  })
  const { craft: _, ...order2 } = DELEGATE
  t.match(await program.ask({ do: 'signed', ...order2, signed_tx: whole }), { ok: true, changed: [], sentence: evm.sentence })
  t.match(await program.ask({ do: 'explain', protocol: 'evm-three', transaction: whole }), {
    ...{ ok: true, sentence: evm.sentence, known: true, form: 'signed', tx_hash: hash },
    signers: [{ address: '0x19e7e376e7c213b7e7e7e46cc70a5dd086daff2a', signature: 'right' }],
  })
  const headers = { 'X-Account-Number': '12345' }
  const stake = { protocol: 'hub-one', action: 'stake', request: JSON.stringify(hub.request), craft: JSON.stringify(hub.craft), headers }
  t.match(await program.ask({ do: 'check', ...stake }), { ok: true, sign: { kind: 'hash', payload_hex: hub.craft.unsigned_tx_hash_hex } })
})

t.test('what is not what was asked for is said with a code, and every difference', async (t) => {
  const program = new Program(t, '--trust', 'trust.json', '--trust', 'second=other.json')
  const check = { do: 'check', trust: 'default', ...DELEGATE }
  t.match(await program.ask({ ...check, request: evm.request.replace('100.0', '10') }), {
    ...{ ok: false, code: 'MISMATCH', sentence: /Do not sign it\.$/ },
    mismatches: [{ path: 'calls[0].value', expected: '10 MON', found: '100 MON' }],
  })
  t.match(await program.ask({ ...check, facts: { nonce: 3 } }), { code: 'MISMATCH', mismatches: [{ path: 'facts.nonce' }] })
  t.match(await program.ask({ ...check, facts: { nounce: 0 } }), { code: 'MISMATCH', mismatches: [{ path: 'facts.nounce' }] })
  t.match(await program.ask({ ...check, sent: {}, headers: {} }), { code: 'NOT_AUTHENTIC', sentence: /Do not sign it\./ })
  const other = new SigningKey(`0x${'22'.repeat(32)}`).sign(evm.craft.unsigned_tx_hash_hex).serialized
  const assemble = { ...check, do: 'assemble' }
  t.match(await program.ask({ ...assemble, signature: other }), { code: 'SIGNATURE', mismatches: [{ path: 'signature' }] })
  t.match(await program.ask({ ...assemble, signature: '00' }), { code: 'SIGNATURE' })
  const later = await new Wallet(key).signTransaction({
    ...Transaction.from(evm.craft.serialized_tx_hex).toJSON(),
    nonce: 2,
    sig: null,
  } as never)
  const signed = { ...check, do: 'signed', signed_tx: later }
  t.match(await program.ask(signed), { code: 'MISMATCH', sentence: /Do not send it\.$/, mismatches: [{ path: 'terms.nonce', found: '2' }] })
  t.match(await program.ask({ ...signed, chosen: ['nonce'] }), { ok: true, changed: [{ path: 'terms.nonce' }] })

  for (const [question, sentence] of [
    [{ ...check, trust: undefined }, /^trust is missing; it must be one of those that the program was started with: default, second\.$/],
    [{ ...check, trust: 'third' }, /^trust is "third"; it must be one of/],
    [{ ...check, trust: 'second' }, /no protocol \/evm-three\/native/],
    [{ ...check, protocol: 'evm-nine' }, /no intent of evm-nine/],
    [{ ...check, network: '5' }, /5/],
    [{ ...check, action: 'burn' }, /has no action "burn"; it has delegate/],
    [{ ...check, action: 'constructor' }, /has no action/],
    [{ ...check, request: '{"amount":1' }, /^request is not JSON/],
    [{ ...check, request: '{"amount":1,"amount":2}' }, /has a member twice/],
    [
      { ...check, request: '{"address":"0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A"}' },
      /^request is no body of delegate: amount should be/,
    ],
    [{ ...check, craft: undefined }, /^check needs craft\.$/],
    [{ ...check, craft: evm.craft }, /^craft is \{"serialized.*; it must be a text\.$/],
    [{ ...check, fact: {} }, /^check has no member "fact"; it has trust, protocol/],
    [{ ...check, headers: { a: 1 } }, /^headers is .*; it must be an object whose members are texts\.$/],
    [{ ...check, headers: { 'X-A': '1', 'x-a': '2' } }, /has the header x-a twice/],
    [{ ...check, max_age: -1 }, /^max_age is -1; it must be a whole number/],
    [{ ...assemble, signature: { r: 'x' } }, /^signature must be a text, or an object with r and s/],
    [{ ...assemble, signature: { signature: plainOf(64), public_key: plainOf(32) } }, /for a transaction of Sui/],
    [{ do: 'explain', trust: 'default', protocol: 'evm-three', transaction: '0x00' }, /./],
    [{ do: 'sign' }, /^do is "sign"; it must be one of hello, check, payloads, assemble, signed, explain\.$/],
    [{ v: 2, do: 'hello' }, /^v is 2; this program speaks version 1\.$/],
  ] as const) {
    const answer = await program.ask(question)
    t.match(answer, { v: 1, ok: false, code: 'ASKED_WRONG', sentence }, JSON.stringify(question).slice(0, 80))
  }
})

t.test('lines that are no questions are answered too, each with a line, in their order', async (t) => {
  const program = new Program(t, '--trust', 'trust.json')
  const odd = [
    'null',
    '[]',
    '7',
    '"x"',
    '{',
    '{}',
    '{"v":1}',
    '{"v":1,"id":null,"do":"hello"}',
    '{"v":1,"id":{},"do":"hello"}',
    '\u0000',
    '{"__proto__":1}',
  ]
  for (const line of odd) program.send(line)
  program.send('')
  program.send('{"v":1,"id":"last","do":"hello"}')
  for (const line of odd) t.match(await program.next(), { v: 1, id: null, ok: false, code: 'ASKED_WRONG' }, line)
  t.match(await program.next(), { id: 'last', ok: true })
})

t.test('whatever a line holds, the answer is a line, and never a stack', async (t) => {
  const program = new Program(t, '--trust', 'trust.json')
  const good = JSON.stringify({ v: 1, id: 1, do: 'check', ...DELEGATE })
  let seed = 20_261_129
  const random = (below: number) => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
    return seed % below
  }
  const COUNT = 3_000
  const codes = new Map<string, number>()
  const changed = Array.from({ length: COUNT }, () => {
    let line = good
    for (let times = 1 + random(4); times > 0; times--) {
      const at = random(line.length)
      const piece = ['"', '{', '}', '\\', ',', ':', '0', 'null', '1e999', '__proto__', '\u2028', 'ÿ', ''][random(13)] ?? ''
      line = line.slice(0, at) + piece + line.slice(at + random(3))
    }
    return line.replaceAll('\n', ' ')
  }).filter((line) => line.trim() !== '')
  for (const line of changed) program.send(line)
  for (const line of changed) {
    const answer = await program.next()
    if (answer.code === 'INTERNAL' || /\n {4}at /.test(JSON.stringify(answer))) t.fail(line, answer)
    codes.set(answer.code ?? 'ok', (codes.get(answer.code ?? 'ok') ?? 0) + 1)
  }
  t.ok((codes.get('ASKED_WRONG') ?? 0) > 100 && (codes.get('MISMATCH') ?? 0) > 100, JSON.stringify([...codes]))
  t.match(await program.ask({ do: 'hello' }), { ok: true })
})

t.test('a line without an end is refused, and nothing after it is read', async (t) => {
  const program = new Program(t, '--trust', 'trust.json')
  program.child.stdin.on('error', () => undefined)
  program.child.stdin.write('x'.repeat(1024 * 1024 + 1))
  t.match(await program.next(), { ok: false, id: null, code: 'ASKED_WRONG', sentence: /more than 1048576 bytes/ })
})

t.test('over a socket that its owner alone may use, to several programs, until its input ends', async (t) => {
  const program = new Program(t, '--trust', 'trust.json', '--socket', 'verify.sock')
  const { socket } = await program.next()
  t.equal(socket, join(folder.path, 'verify.sock'))
  t.equal((await stat(socket)).mode & 0o777, 0o600)
  const connections = await Promise.all(
    [1, 2].map(async (id) => {
      const connection = connect(socket)
      await once(connection, 'connect')
      connection.write(`${JSON.stringify({ v: 1, id, do: 'check', ...DELEGATE })}\n`)
      const [line] = await once(createInterface({ input: connection }), 'line')
      t.match(JSON.parse(line), { id, ok: true, sentence: evm.sentence })
      return connection
    }),
  )
  // One that goes away in the middle of a line harms nobody.
  connections[0]?.write('{"v":1')
  connections[0]?.destroy()
  connections[1]?.write('{"v":1,"id":9,"do":"hello"}\n')
  const [line] = await once(createInterface({ input: connections[1] as never }), 'line')
  t.match(JSON.parse(line), { id: 9, ok: true })
  connections[1]?.destroy()
  program.child.stdin.end()
  const [code] = await once(program.child, 'close')
  t.equal(code, 0)
  await t.rejects(unlink(socket), { code: 'ENOENT' })
})

t.test('it ends with its input, and says what it needs to begin', async (t) => {
  const program = new Program(t, '--trust', 'trust.json')
  program.child.stdin.end('{"v":1,"id":1,"do":"hello"}')
  t.match(await program.next(), { id: 1, ok: true }, 'the last line needs no end')
  const [code] = await once(program.child, 'close')
  t.equal(code, 0)
  for (const [args, sentence] of [
    [['serve'], /serve needs --trust/],
    [['serve', '--trust', 'a=trust.json', '--trust', 'a=other.json'], /--trust names a twice/],
    [['serve', '--trust', 'none.json'], /none\.json is not there/],
    [['serve', '--trust', 'trust.json', '--action', 'delegate'], /serve takes --trust and --socket, and no action/],
    [['serve', 'twice', '--trust', 'trust.json'], /and no twice/],
    [['serve', '--trust', 'trust.json', '--socket', 'no/such/folder.sock'], /cannot be made/],
    [['explain', '00', '--socket', 'x'], /--socket is an option of serve/],
  ] as const)
    t.match(await folder.run(...args), { code: 2, stderr: sentence })
})

function plainOf(bytes: number): string {
  return 'ab'.repeat(bytes)
}
