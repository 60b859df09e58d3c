import { once } from 'node:events'
import { stat, unlink } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { SigningKey, Transaction, toQuantity, Wallet } from 'ethers'
import { Webhook } from 'standardwebhooks'
import t from 'tap'
import { evm, hub, trust } from './support/answers.ts'
import { openFolder } from './support/folder.ts'
import { Program } from './support/program.ts'

// `svc-verify serve` as a program in another language uses it: a line of JSON each way.

const folder = await openFolder(t, {
  '@svc/intent-evm-three': 'plugins/evm-three/intent',
  '@svc/intent-hub': 'packages/intent-hub',
})
await folder.write('trust.json', trust)
await folder.write('other.json', { ...trust, account: 'other', protocols: [] })

const DELEGATE = { protocol: 'evm-three', action: 'delegate', request: evm.request, craft: JSON.stringify(evm.craft) }
const key = new SigningKey(`0x${'11'.repeat(32)}`)
const signature = key.sign(evm.craft.unsigned_tx_hash_hex)
const base64 = (hex: string) => Buffer.from(hex.slice(2), 'hex').toString('base64')

t.test('what is asked first, what may be signed, and what becomes of the signature in each form', async (t) => {
  const program = new Program(t, folder.path, '--trust', 'trust.json')
  const hello = await program.ask({ do: 'hello' })
  t.match(hello, { v: 1, ok: true, trust: [{ name: 'default', account: 'acme', sha256: /^[0-9a-f]{64}$/ }] })
  t.same(hello.do, ['hello', 'check', 'payloads', 'assemble', 'signed', 'explain', 'webhook'])

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
    ['as custodians answer it', { signature: plain, public_key: key.publicKey }],
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

t.test('a craft that replaces an earlier one is right where one of the two at most can land', async (t) => {
  const program = new Program(t, folder.path, '--trust', 'trust.json')
  const check = { do: 'check', ...DELEGATE }
  /** The craft with another nonce, or on another chain. */
  const other = (changes: Readonly<Record<string, number>>) => {
    const transaction = Transaction.from({
      ...Transaction.from(evm.craft.serialized_tx_hex).toJSON(),
      ...changes,
      sig: null,
      from: null,
    } as never)
    const spelled = Object.fromEntries(
      Object.entries(changes).map(([name, value]) => [name, name === 'chainId' ? value : toQuantity(value)]),
    )
    const { unsignedSerialized: serialized_tx_hex, unsignedHash: unsigned_tx_hash_hex } = transaction
    return JSON.stringify({ ...evm.craft, serialized_tx_hex, unsigned_tx_hash_hex, payload: { ...evm.craft.payload, ...spelled } })
  }
  t.match(await program.ask({ ...check, replaces: other({ gasPrice: 7 }) }), { ok: true, sentence: evm.sentence }, 'the same nonce')
  t.match(await program.ask({ ...check, replaces: other({ nonce: 4 }) }), {
    ...{ ok: false, code: 'MISMATCH', sentence: /could both land\. Do not sign it\.$/ },
    mismatches: [{ path: 'replaces', expected: /4/, found: /0/ }],
  })
  t.match(await program.ask({ ...check, replaces: other({ chainId: 1 }) }), { ok: false })
  t.match(await program.ask({ ...check, replaces: '{}' }), { ok: false, code: 'ASKED_WRONG' })
  t.match(await program.ask({ ...check, replaces: 'x' }), { ok: false, code: 'ASKED_WRONG', sentence: /^replaces is not JSON/ })
  t.match(await program.ask({ ...check, do: 'payloads', replaces: other({ nonce: 4 }) }), { ok: false, payloads: undefined })
})

t.test('what is not what was asked for is said with a code, and every difference', async (t) => {
  const program = new Program(t, folder.path, '--trust', 'trust.json', '--trust', 'second=other.json')
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
    [
      { ...check, request: evm.request.replace('19E7', '19,7') },
      /^request is no body of delegate: address should be 0x and 40 hex digits and is 0x19,7E/,
    ],
    [{ ...check, craft: undefined }, /^check needs craft\.$/],
    [{ ...check, craft: evm.craft }, /^craft is \{"serialized.*; it must be a text\.$/],
    [{ ...check, fact: {} }, /^check has no member "fact"; it has trust, protocol/],
    [{ ...check, headers: { a: 1 } }, /^headers is .*; it must be an object whose members are texts, lists of texts, or null\.$/],
    [{ ...check, headers: { 'X-A': '1', 'x-a': '2' } }, /has the header x-a twice/],
    [{ ...check, max_age: -1 }, /^max_age is -1; it must be a whole number/],
    [{ ...check, max_age: 5 }, /^max_age needs sent: /],
    [{ ...assemble, signature: { r: 'x' } }, /^signature must be a text, or an object with r and s/],
    [{ ...assemble, signature: { signature: plainOf(64) } }, /with signature and public_key, as texts\.$/],
    [{ do: 'explain', trust: 'default', protocol: 'evm-three', transaction: '0x00' }, /./],
    [{ do: 'sign' }, /^do is "sign"; it must be one of hello, check, payloads, assemble, signed, explain, webhook\.$/],
    [{ v: 2, do: 'hello' }, /^v is 2; this program speaks version 1\.$/],
  ] as const) {
    const answer = await program.ask(question)
    t.match(answer, { v: 1, ok: false, code: 'ASKED_WRONG', sentence }, JSON.stringify(question).slice(0, 80))
  }
})

t.test('lines that are no questions are answered too, each with a line, in their order', async (t) => {
  const program = new Program(t, folder.path, '--trust', 'trust.json')
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

t.test('headers are taken as libraries of HTTP have them', async (t) => {
  const program = new Program(t, folder.path, '--trust', 'trust.json')
  const stake = {
    do: 'check',
    protocol: 'hub-one',
    action: 'stake',
    request: JSON.stringify(hub.request),
    craft: JSON.stringify(hub.craft),
  }
  const ask = (headers: object) => program.ask({ ...stake, headers })
  for (const headers of [{ 'X-Account-Number': ['12345'] }, { 'x-account-number': '12345', via: null, vary: ['a', 'b'] }])
    t.match(await ask(headers), { ok: true, sign: { payload_hex: hub.craft.unsigned_tx_hash_hex } })
  for (const headers of [{ 'x-account-number': ['12345', '7'] }, { 'x-account-number': null }, { 'x-account-number': [] }])
    t.match(await ask(headers), { ok: false }, JSON.stringify(headers))
  t.match(await ask({ 'x-account-number': [7] }), { code: 'ASKED_WRONG', sentence: /^headers is / })
})

t.test('a webhook is verified, and nothing of it is told before', async (t) => {
  const program = new Program(t, folder.path, '--trust', 'trust.json')
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
  const body = '{"type":"transaction.final","timestamp":"2026-11-29T10:00:00.000Z","data":{"tx_hash":"0x12","fee":"0.000000000000000001"}}'
  const now = new Date()
  const headersAt = (time: Date) => ({
    'Webhook-Id': ['msg_1'],
    'Webhook-Timestamp': [String(Math.floor(time.getTime() / 1000))],
    'Webhook-Signature': [new Webhook(secret).sign('msg_1', time, body)],
  })
  const ask = (change: object) => program.ask({ do: 'webhook', headers: headersAt(now), body, keys: [secret], ...change })
  t.match(await ask({}), { ok: true, event: 'msg_1', sent_at: /Z$/, content: JSON.parse(body) })
  const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`
  t.match(await ask({ keys: [other, secret] }), { ok: true }, 'while a secret is changed there are two')
  for (const [what, change, sentence] of [
    ['another body', { body: body.replace('0x12', '0x13') }, /no signature by a key that is trusted\. Do not use it\.$/],
    ['another secret', { keys: [other] }, /no signature by a key that is trusted/],
    ['another id', { headers: { ...headersAt(now), 'Webhook-Id': 'msg_2' } }, /no signature by a key that is trusted/],
    ['an old one', { headers: headersAt(new Date(now.getTime() - 301_000)) }, /more than 300 s from now/],
    ['no signature', { headers: {} }, /lacks webhook-id/],
  ] as const)
    t.match(await ask(change), { ok: false, code: 'NOT_AUTHENTIC', sentence, content: undefined }, what)
  for (const keys of [[], ['secret'], [secret, 'whsec'], 'all'])
    t.match(await ask({ keys }), { ok: false, code: 'ASKED_WRONG', sentence: /^keys / }, JSON.stringify(keys))
  t.match(await program.ask({ do: 'webhook', headers: {}, body }), { code: 'ASKED_WRONG', sentence: /^webhook needs keys\.$/ })
})

t.test('a line without an end is refused, and nothing after it is read', async (t) => {
  const program = new Program(t, folder.path, '--trust', 'trust.json')
  program.child.stdin.on('error', () => undefined)
  program.child.stdin.write('x'.repeat(1024 * 1024 + 1))
  t.match(await program.next(), { ok: false, id: null, code: 'ASKED_WRONG', sentence: /more than 1048576 bytes/ })
})

t.test('over a socket that its owner alone may use, to several programs, until its input ends', async (t) => {
  const program = new Program(t, folder.path, '--trust', 'trust.json', '--socket', 'verify.sock')
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
  const program = new Program(t, folder.path, '--trust', 'trust.json')
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
