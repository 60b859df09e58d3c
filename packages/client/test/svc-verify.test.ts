import { generateKeyPairSync, hash, sign } from 'node:crypto'
import { run } from '@svc/client/cli'
import t from 'tap'
import { evm, hub, trust } from './support/answers.ts'
import { exampleOf, openFolder } from './support/folder.ts'

const folder = await openFolder(t, {
  '@svc/intent-evm-three': 'plugins/evm-three/intent',
  '@svc/intent-hub': 'packages/intent-hub',
  '@acme/no-intent': 'packages/verify',
})
await folder.write('trust.json', trust)
await folder.write('req.json', evm.request)
await folder.write('craft.json', evm.craft)
await folder.write('hub-req.json', hub.request)
await folder.write('hub-craft.json', hub.craft)
await folder.write('hub-headers.json', hub.headers)

const DELEGATE = [
  '--trust',
  'trust.json',
  '--protocol',
  'evm-three',
  '--action',
  'delegate',
  '--request',
  'req.json',
  '--craft',
  'craft.json',
]
/** The same arguments, with other values for some. */
const changed = (changes: Readonly<Record<string, string>>) =>
  DELEGATE.map((each, i) => changes[String(DELEGATE[i - 1]).replace('--', '')] ?? each)
const STAKE = changed({ protocol: 'hub-one', action: 'stake', request: 'hub-req.json', craft: 'hub-craft.json' })

t.test('a craft that is what was asked for: its sentence, and exit 0', async (t) => {
  t.strictSame(await folder.spawn(...DELEGATE), { code: 0, stdout: `${evm.sentence}\n`, stderr: '' })
  const byPackage = await folder.run(...changed({ protocol: '@svc/intent-evm-three' }), '--network', '143')
  t.strictSame(byPackage, { code: 0, stdout: `${evm.sentence}\n`, stderr: '' })
})

t.test('what was taken on the service’s word is printed', async (t) => {
  const { code, stdout } = await folder.run(...STAKE, '--headers', 'hub-headers.json')
  t.equal(code, 0)
  t.match(stdout, /^Delegate 1\.5 ATOM of cosmos1mnyn7x24xj6vraxeeq56dfkxa009tvhgknhm04 to validator cosmosvaloper1yg3.*\n/)
  t.match(stdout, /On the service's word: accountNumber is 12345; .*\.\n$/)
})

t.test('one that is not: every difference, and exit 1', async (t) => {
  await folder.write('less.json', { address: '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A', amount: '99.999999999999999999' })
  const { code, stdout, stderr } = await folder.spawn(...changed({ request: 'less.json' }))
  t.strictSame([code, stdout], [1, ''])
  t.equal(
    stderr,
    'This is not what was asked for. Do not sign it.\ncalls[0].value: expected 99999999999999999999, found 100000000000000000000\n',
  )
  const other = await folder.run(...changed({ action: 'claim-rewards', request: 'claim.json' }))
  t.equal(other.code, 2, 'a file that is not there is another matter')
  await folder.write('claim.json', { address: '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A' })
  t.match(await folder.run(...changed({ action: 'claim-rewards', request: 'claim.json' })), { code: 1, stderr: /calls\[0\]\.method/ })
  await folder.write('forged.json', { ...evm.craft, payload: { ...evm.craft.payload, gasPrice: '0x1' } })
  t.match(await folder.run(...changed({ craft: 'forged.json' })), { code: 1, stderr: /payload\.gasPrice is "0x1"/ })
  t.match(await folder.run(...STAKE), { code: 1, stderr: /x-account-number/ }, 'without the header the hash cannot be checked')
})

t.test('every mistake is a sentence and exit 2, never a stack', async (t) => {
  await folder.write('text.json', 'no json')
  await folder.write('list.json', [])
  await folder.write('null.json', { version: 1, protocols: [null] })
  await folder.write('old.json', { ...trust, version: 2 })
  await folder.write('bare.json', {
    ...trust,
    protocols: [
      { path: '/evm-three/native', networks: [{ default: true, terms: { ...trust.protocols[0]?.networks[0]?.terms, staking: 7 } }] },
    ],
  })
  await folder.write('typo.json', { address: 'x', amout: 1 })
  await folder.write('fine.json', { address: 'x', amount: '1.0000000000000000001' })
  for (const [args, sentence] of [
    [['--trust', 'trust.json'], /--protocol, --action, --request, --craft are missing/],
    [[...DELEGATE, '--verbose'], /Unknown option '--verbose'/],
    [['check'], /no command "check"; there is explain/],
    [changed({ trust: 'nothing.json' }), /nothing\.json is not there/],
    [changed({ trust: 'text.json' }), /text\.json is not JSON/],
    [changed({ trust: 'list.json' }), /list\.json is not a JSON object/],
    [changed({ trust: 'null.json' }), /null\.json is no trust document/],
    [changed({ trust: 'old.json' }), /version 2; this client reads version 1/],
    [changed({ trust: 'bare.json' }), /has no staking for \/evm-three\/native that is a text/],
    [changed({ protocol: 'evm-nine' }), /@svc\/intent-evm-nine is not installed in .*: npm install @svc\/intent-evm-nine/],
    [changed({ protocol: '../up' }), /neither a protocol nor the name of a package/],
    [changed({ protocol: '@acme/no-intent' }), /@acme\/no-intent exports no intent/],
    [changed({ protocol: '@svc/intent-hub' }), /has the intents of hub-one, hub-two: say which/],
    [changed({ protocol: 'hub-two' }), /has no protocol \/hub-two\/native/],
    [changed({ action: 'constructor' }), /has no action constructor; it has delegate, undelegate/],
    [changed({ request: 'typo.json' }), /typo\.json is no body of delegate: amout should be one of address, amount/],
    [changed({ request: 'fine.json' }), /amount should be decimal text with 18 decimals at most/],
    [[...DELEGATE, '--network', '1'], /no network 1 of \/evm-three\/native; it has 143/],
    [['explain'], /explain needs a transaction/],
    [['explain', 'aa', 'bb'], /takes one transaction/],
    [['explain', 'aa', '--action', 'delegate'], /explain takes no --action/],
    [['explain', 'aa', '--protocol', 'evm-three'], /give both --trust and --protocol/],
  ] as const) {
    const { code, stdout, stderr } = await folder.run(...args)
    t.strictSame([code, stdout], [2, ''], args.join(' '))
    t.match(stderr, sentence)
    t.match(stderr, /^svc-verify: .*\.\n$/s)
    t.notMatch(stderr, /\n {4}at |should not have happened/)
  }
})

t.test('a mistake ends the process with 2, and nothing on stdout', async (t) => {
  t.match(await folder.spawn('check'), { code: 2, stdout: '', stderr: /^svc-verify: There is no command "check"/ })
})

t.test('without arguments it says how it is used', async (t) => {
  for (const args of [[], ['--help'], ['-h']]) t.match(await folder.run(...args), { code: 0, stdout: /--trust <file>/ })
})

t.test('explain puts a transaction into words by a protocol', async (t) => {
  const { serialized_tx_hex } = evm.craft
  const { code, stdout } = await folder.run('explain', serialized_tx_hex, '--trust', 'trust.json', '--protocol', 'evm-three')
  t.equal(code, 0)
  t.equal(
    stdout,
    `${evm.sentence}\nIt is unsigned.\nHash to sign: ${evm.craft.unsigned_tx_hash_hex}\nThe bytes do not say who must sign: whoever signs is the sender.\n`,
  )
  const hubs = ['--trust', 'trust.json', '--protocol', 'hub-one']
  const told = await folder.run('explain', hub.craft.unsigned_tx_hex, ...hubs, '--headers', 'hub-headers.json')
  t.match(told.stdout, new RegExp(`^Delegate 1\\.5 ATOM .*\n.*Hash to sign: ${hub.craft.unsigned_tx_hash_hex}\n`, 's'))
  const { request } = await exampleOf('evm-two', 'post /action/broadcast')
  t.match(await folder.run('explain', request.signed_tx_hex, '--trust', 'trust.json', '--protocol', 'evm-three'), {
    code: 1,
    stderr: /^The transaction is for the chain 1672; it must be for 143\.\n$/,
  })
})

t.test('explain reads every family offline, without a protocol', async (t) => {
  for (const [plugin, name] of [
    ['evm-three', 'EVM'],
    ['evm-vault', 'EVM'],
    ['hub-one', 'Cosmos'],
    ['hub-two', 'Cosmos'],
    ['svm-native', 'Solana'],
    ['svm-liquid', 'Solana'],
    ['move-native', 'Sui'],
  ] as const) {
    const { response } = await exampleOf(plugin, 'post /action/inspect')
    const { request } = await exampleOf(plugin, 'post /action/inspect')
    const { code, stdout } = await folder.run('explain', request.transaction)
    t.equal(code, 0, plugin)
    t.match(stdout, `A transaction for ${name}.\n`)
    t.match(stdout, '\nIt is signed.\n')
    t.match(stdout, `\nTransaction hash: ${response.tx_hash}\n`)
    t.match(stdout, response.signers[0].address)
    t.notMatch(stdout, /WRONG/)
    if (plugin === 'hub-one') t.strictSame(await folder.pipe(`${request.transaction}\n`, 'explain', '-'), { code: 0, stdout, stderr: '' })
  }
})

t.test('explain says what is no transaction, family by family', async (t) => {
  const { code, stdout, stderr } = await folder.run('explain', '00')
  t.strictSame([code, stdout], [1, ''])
  t.match(stderr, /^This is no transaction of any of the four families\.\nEVM: .*\nSolana: .*\nSui: .*\nCosmos: .*\n$/)
  const typed = await folder.run('explain', '0x02f8')
  t.match(typed, { code: 1, stderr: /EVM: the transaction is of type 2 \(EIP-1559\)/ })
})

t.test('an answer with its signature: whose it is, to which request, and how old', async (t) => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const { x = '' } = publicKey.export({ format: 'jwk' })
  const kid = hash('sha256', JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }), 'base64url')
  await folder.write('keys.json', { ...trust, baseUrl: 'https://staking.example/', keys: [{ kty: 'OKP', crv: 'Ed25519', x, kid }] })
  const answer = JSON.stringify(evm.craft)
  const digestOf = (text: string) => `sha-256=:${hash('sha256', text, 'base64')}:`
  const nonced = { 'X-NONCE': 'bm9uY2UtMDAwMQ', 'X-NETWORK': '143', 'Content-Digest': digestOf(evm.request) }
  /** By the rules of RFC 9421, section 2.5, over what the service covers. */
  const signed = (created: number, sent: Readonly<Record<string, string>>) => {
    const asked = ['content-digest', 'x-network', 'x-nonce'].flatMap((name) => {
      const [, value] = Object.entries(sent).find(([each]) => each.toLowerCase() === name) ?? []
      return value === undefined ? [] : [[`"${name}";req`, value]]
    })
    const lines = [
      ['"@status"', '200'],
      ['"content-digest"', digestOf(answer)],
      ['"@method";req', 'POST'],
      ['"@path";req', '/api/v1/evm-three/native/action/delegate'],
      ['"@query";req', '?'],
      ...asked,
    ]
    const parameters = `(${lines.map(([name]) => name).join(' ')});created=${created};keyid="${kid}";alg="ed25519";tag="svc-response-1"`
    const base = [...lines.map(([name, value]) => `${name}: ${value}`), `"@signature-params": ${parameters}`].join('\n')
    const signature = sign(null, Buffer.from(base), privateKey).toString('base64')
    return { 'Content-Digest': digestOf(answer), 'Signature-Input': `svc=${parameters}`, Signature: `svc=:${signature}:` }
  }
  const now = Math.floor(Date.now() / 1000)
  await folder.write('sent.json', nonced)
  await folder.write('signed.json', signed(now, nonced))
  const withKeys = changed({ trust: 'keys.json' })
  const asked = (headers: string, ...more: readonly string[]) =>
    run([...withKeys, '--headers', headers, '--sent', 'sent.json', ...more], folder.path)
  const fresh = await asked('signed.json', '--max-age', '300')
  t.match(fresh, { code: 0, lines: [evm.sentence, /^The service's answer to this request, of \d{4}-\d\d-\d\dT[\d:]+Z, \d s old\.$/] })
  t.equal(fresh.lines.length, 2)

  const yesterday = new Date((now - 86_400) * 1000).toISOString().replace('.000', '')
  await folder.write('old.json', signed(now - 86_400, nonced))
  t.match(await asked('old.json'), { code: 0, lines: [evm.sentence, new RegExp(`of ${yesterday}, 8640\\d s old`)] })
  const refused = ['This is not the service’s answer of now to this request. Do not sign it.'.replace('’', "'")]
  t.match(await asked('old.json', '--max-age', '300'), { code: 1, lines: [], errors: [...refused, /8640\d s old; 300 s are allowed\.$/] })
  await folder.write('next.json', signed(now + 3600, nonced))
  t.match(await asked('next.json'), { code: 1, errors: [...refused, /by this machine's clock is still to come\.$/] })

  // Yesterday's answer to the request of today: the same body, another nonce.
  await folder.write('sent.json', { ...nonced, 'X-NONCE': 'bm9uY2UtMDAwMg' })
  t.match(await asked('signed.json'), {
    code: 1,
    errors: [...refused, /^The signature does not fit: the answer is to another request, or was changed\.$/],
  })
  await folder.write('sent.json', { ...nonced, 'X-NETWORK': '1' })
  t.match(await asked('signed.json'), { code: 1, errors: [...refused, /does not fit/] })
  const { 'X-NONCE': _, ...bare } = nonced
  await folder.write('sent.json', bare)
  await folder.write('signed.json', signed(now, bare))
  t.match(await asked('signed.json'), { code: 0, lines: [evm.sentence, /\d s old\.$/, /^The request had no X-NONCE: an older answer/] })
  await folder.write('unsigned.json', { 'X-Account-Number': '1' })
  t.match(await asked('unsigned.json'), { code: 1, errors: [...refused, 'The answer is not signed.'] })
  t.match(await run([...DELEGATE, '--headers', 'signed.json', '--sent', 'sent.json'], folder.path), {
    code: 1,
    errors: [...refused, /which is not pinned\.$/],
  })
  await folder.write('req.json', `${evm.request} `)
  t.match(await asked('signed.json'), { code: 1, errors: [...refused, /Content-Digest of the request does not fit its body/] })
  await folder.write('req.json', evm.request)

  for (const [args, sentence] of [
    [['--sent', 'sent.json'], /--sent needs --headers/],
    [['--max-age', '300'], /--max-age needs --sent and --headers/],
    [['--headers', 'signed.json', '--sent', 'sent.json', '--max-age', 'a day'], /--max-age is "a day"; it must be whole seconds/],
    [['--headers', 'signed.json', '--sent', 'nothing.json'], /nothing\.json is not there/],
  ] as const)
    t.match(await run([...DELEGATE, ...args], folder.path), { code: 2, lines: [], errors: [sentence] })
})
