import { generateKeyPairSync, hash, sign } from 'node:crypto'
import { join } from 'node:path'
import { run } from '@svc/client/cli'
import { Transaction, toQuantity, Wallet } from 'ethers'
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
  const word = "On the service's word: "
  const said = [
    evm.sentence,
    `${word}nonce is 0; none: each nonce is used once, so that what was crafted anew for another one can land beside the first. At worst it costs what is asked for, once more for each transaction that is signed.`,
    `${word}gasLimit is 282054; at least 26,000; at most \`max_gas_limit\` times \`gas_limit_percent\` / 100, and with the price at most \`max_fee\`. At worst it costs a part of the fee at most; too little, and the transaction fails and costs its fee.`,
    `${word}gasPrice is 112200000000 wei, a fee of at most 0.0316464588 MON; with the gas limit at most \`max_fee\`: 0.05 MON. At worst it costs up to 0.05 MON for each transaction that is signed.`,
    '',
  ].join('\n')
  t.strictSame(await folder.spawn(...DELEGATE), { code: 0, stdout: said, stderr: '' })
  const byPackage = await folder.run(...changed({ protocol: '@svc/intent-evm-three' }), '--network', '143')
  t.strictSame(byPackage, { code: 0, stdout: said, stderr: '' })
})

t.test('a fee far above the usual one is told right after the sentence', async (t) => {
  const transaction = Transaction.from(evm.craft.serialized_tx_hex)
  transaction.gasPrice = 10n ** 18n / transaction.gasLimit
  const payload = { ...evm.craft.payload, gasPrice: toQuantity(transaction.gasPrice) }
  const serialized = { serialized_tx_hex: transaction.unsignedSerialized, unsigned_tx_hash_hex: transaction.unsignedHash, payload }
  await folder.write('dear.json', serialized)
  await folder.write('dear-trust.json', JSON.parse(JSON.stringify(trust).replace('"0.05"', '"1"')))
  const { code, stdout } = await folder.run(...changed({ craft: 'dear.json', trust: 'dear-trust.json' }))
  t.equal(code, 0, 'it keeps its cap')
  t.match(
    stdout.split('\n')[1],
    /^Beware: The fee is at most 0\.9\d+ MON\. An action of \/evm-three\/native usually costs 0\.035 MON and less/,
  )
  const explained = await folder.run('explain', serialized.serialized_tx_hex, '--trust', 'dear-trust.json', '--protocol', 'evm-three')
  t.match(explained.stdout, /^Beware: The fee is at most 0\.9/m)
})

t.test('an intent is looked for among those that are installed, by its path, and no package that is not there is named', async (t) => {
  const asked = (protocol: string) => changed({ protocol })
  for (const protocol of ['evm-three/native', '/evm-three/native', 'evm-three'])
    t.match(await folder.run(...asked(protocol)), { code: 0, stdout: evm.sentence }, protocol)
  for (const protocol of ['near', 'near/native', 'intent-near']) {
    const { code, stderr } = await folder.run(...asked(protocol))
    t.equal(code, 2)
    t.match(stderr, `no intent of ${protocol} is installed: among the packages in ${folder.path} whose names begin with intent-, `)
    t.notMatch(stderr, /npm install|@svc\/intent-near/)
  }
  const other = await openFolder(t, { '@acme/intent-own': 'plugins/evm-three/intent', '@beta/intent-own': 'plugins/evm-three/intent' })
  const args = asked('evm-three').map((each) => (each.endsWith('.json') ? join(folder.path, each) : each))
  t.match(
    (await other.run(...args)).stderr,
    /evm-three is in more than one .*: evm-three\/native \(@acme\/intent-own\), evm-three\/native \(@beta\/intent-own\)/,
  )
  t.match(await other.run(...args.map((each) => (each === 'evm-three' ? '@acme/intent-own' : each))), { code: 0 })
  const mixed = await openFolder(t, {
    '@acme/intent-own': 'plugins/evm-three/intent',
    '@svc/intent-evm-three': 'plugins/evm-three/intent',
    '@svc/intent-evm-three-liquid': 'plugins/evm-three-liquid/intent',
  })
  t.match(await mixed.run(...args), { code: 0 }, "this project's own, though two have that first part and a stranger the path")
  const none = await openFolder(t, {})
  t.match((await none.run(...args)).stderr, /begin with intent-, there is none\. Which package/)
})

t.test('what was taken on the service’s word is printed', async (t) => {
  const { code, stdout } = await folder.run(...STAKE, '--headers', 'hub-headers.json')
  t.equal(code, 0)
  t.match(stdout, /^Delegate 1\.5 ATOM of cosmos1mnyn7x24xj6vraxeeq56dfkxa009tvhgknhm04 to validator cosmosvaloper1yg3.*\n/)
  t.match(stdout, /On the service's word: accountNumber is 12345; .*\. At worst it costs nothing\.\n/)
})

t.test('a file that says two things is not read', async (t) => {
  const craft = JSON.stringify(evm.craft)
  const twice = [
    `{"unsigned_tx_hash_hex":"0x${'66'.repeat(32)}",${craft.slice(1)}`,
    `{"unsigned_tx_hash_he\\u0078":"0x${'66'.repeat(32)}",${craft.slice(1)}`,
    craft.replace('"payload":{', '"payload":{"to":"0x66",'),
  ]
  for (const [i, text] of twice.entries()) {
    await folder.write(`twice-${i}.json`, text)
    t.match(await folder.run(...changed({ craft: `twice-${i}.json` })), { code: 2, stdout: '', stderr: /has a member twice in one object/ })
  }
  await folder.write('twice-req.json', '{"address":"0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A","amount":100,"amount":1}')
  t.match(await folder.run(...changed({ request: 'twice-req.json' })), { code: 2, stderr: /twice-req\.json .* a member twice/ })
  await folder.write('twice-trust.json', JSON.stringify(trust).replace('"max_fee"', '"max_fee":"9","max_fee"'))
  t.match(await folder.run(...changed({ trust: 'twice-trust.json' })), { code: 2, stderr: /twice-trust\.json .* a member twice/ })
  await folder.write('twice-headers.json', { 'X-Account-Number': '1', 'x-account-number': '12345' })
  t.match(await folder.run(...STAKE, '--headers', 'twice-headers.json'), { code: 2, stderr: /has the header x-account-number twice/ })
})

t.test('no letter of a stranger moves the cursor of whoever reads, or turns his text', async (t) => {
  const hostile = '\u009b2J\u202e\u200b\u001b[1A\u0007'
  await folder.write('hostile.json', { ...evm.craft, [hostile]: hostile })
  await folder.write('hostile-value.json', { ...evm.craft, unsigned_tx_hash_hex: hostile })
  for (const file of ['hostile.json', 'hostile-value.json']) {
    const { code, stdout, stderr } = await folder.spawn(...changed({ craft: file }))
    t.equal(code, 1)
    t.match(stderr, /\\u\{202e\}/, 'it is told by its number')
    t.notMatch(`${stdout}${stderr}`.replaceAll('\n', ''), /\p{C}/u)
  }
  const named = await folder.spawn(...changed({ craft: `no${hostile}.json` }))
  t.equal(named.code, 2)
  t.notMatch(named.stderr.replaceAll('\n', ''), /\p{C}/u)
})

t.test('one that is not: every difference, and exit 1', async (t) => {
  await folder.write('less.json', { address: '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A', amount: '99.999999999999999999' })
  const { code, stdout, stderr } = await folder.spawn(...changed({ request: 'less.json' }))
  t.strictSame([code, stdout], [1, ''])
  t.equal(stderr, 'This is not what was asked for. Do not sign it.\ncalls[0].value: expected 99.999999999999999999 MON, found 100 MON\n')
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
  const [{ path, networks }] = trust.protocols as [(typeof trust.protocols)[0]]
  const shapes = [
    {},
    null,
    { path, networks: {} },
    { path: 7, networks },
    { path, networks: [{ terms: null }] },
    { path, networks: [null] },
  ]
  for (const [i, shape] of shapes.entries()) await folder.write(`shape-${i}.json`, { ...trust, protocols: [shape] })
  const { version: _, ...unversioned } = trust
  await folder.write('unversioned.json', unversioned)
  await folder.write('typo.json', { address: 'x', amout: 1 })
  await folder.write('fine.json', { address: 'x', amount: '1.0000000000000000001' })
  for (const [args, sentence] of [
    [['--trust', 'trust.json'], /--protocol, --action, --request, --craft are missing/],
    [[...DELEGATE, '--verbose'], /Unknown option '--verbose'/],
    [['check'], /no command "check"; there are explain and serve/],
    [changed({ trust: 'nothing.json' }), /nothing\.json is not there/],
    [changed({ trust: 'text.json' }), /text\.json is not JSON/],
    [changed({ trust: 'list.json' }), /list\.json is not a JSON object/],
    [changed({ trust: 'null.json' }), /null\.json is no trust document/],
    ...shapes.map((_, i) => [changed({ trust: `shape-${i}.json` }), /shape-\d\.json is no trust document/] as const),
    [changed({ trust: 'unversioned.json' }), /unversioned\.json is no trust document/],
    [changed({ trust: '.' }), /\. cannot be read/],
    [changed({ request: 'list.json' }), /list\.json is not a JSON object|list\.json is no body/],
    [DELEGATE.slice(2), /^svc-verify: --trust is missing\. /],
    [changed({ trust: 'old.json' }), /version 2; this client reads version 1/],
    [changed({ trust: 'bare.json' }), /has no staking for \/evm-three\/native that is a text/],
    [
      changed({ protocol: 'evm-nine' }),
      /no intent of evm-nine is installed: among the packages in \/.* there are those of evm-three\/native \(@svc\/intent-evm-three\), hub-one\/native \(/,
    ],
    [changed({ protocol: '@svc/intent-evm-nine' }), /@svc\/intent-evm-nine is not installed in \/[^:]*\.$/m],
    [changed({ protocol: '../up' }), /neither a protocol nor the name of a package/],
    [changed({ protocol: '@acme/no-intent' }), /@acme\/no-intent exports no intent/],
    [changed({ protocol: '@svc/intent-hub' }), /has the intents of hub-one\/native \(@svc\/intent-hub\), hub-two\/native .*: say which/],
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
  const [{ path, networks }] = trust.protocols as [(typeof trust.protocols)[0]]
  const elsewhere = networks.map((each) => ({ ...each, terms: { ...each.terms, staking: `0x${'0'.repeat(36)}2000` } }))
  await folder.write('elsewhere.json', { ...trust, protocols: [{ path, networks: elsewhere }] })
  const other = await folder.run('explain', serialized_tx_hex, '--trust', 'elsewhere.json', '--protocol', 'evm-three')
  t.match(other.stdout, /\nNot every call is one of \/evm-three\/native on these terms\.\n/)
  const bare = await folder.run('explain', serialized_tx_hex)
  t.match(bare.stdout, /\nCall 1: .*0x0{36}1000/)
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

/** Whoever has the key of the recorded craft's address, and somebody else. */
const [owner, stranger] = [new Wallet(`0x${'11'.repeat(32)}`), new Wallet(`0x${'22'.repeat(32)}`)]

t.test('what came back from whoever signed is held against the order, and against the craft', async (t) => {
  const crafted = Transaction.from(evm.craft.serialized_tx_hex)
  const { nonce, gasLimit, gasPrice, to, value, data, chainId } = crafted
  const same = { type: 0, nonce, gasLimit, gasPrice, to, value, data, chainId }
  const signed = await owner.signTransaction(same)
  const txHash = Transaction.from(signed).hash
  const withSigned = (text: string, ...more: string[]) => folder.run(...DELEGATE, '--signed', text, ...more)
  t.strictSame(await withSigned(signed), { code: 0, stdout: `${evm.sentence}\nTransaction hash: ${txHash}\n`, stderr: '' })
  const piped = await folder.pipe(`${signed}\n`, ...DELEGATE, '--signed', '-')
  t.strictSame(piped, { code: 0, stdout: `${evm.sentence}\nTransaction hash: ${txHash}\n`, stderr: '' })

  const { gasPrice: _, ...rest } = same
  const dearer = await owner.signTransaction({ ...rest, type: 2, maxFeePerGas: (gasPrice ?? 0n) + 3n, maxPriorityFeePerGas: 1n })
  const told = await withSigned(dearer)
  t.equal(told.code, 0)
  t.match(told.stdout, '\nWhoever signed has changed gasPrice: it was crafted with 112200000000 and is 112200000003.\n')

  const withoutCraft = DELEGATE.slice(0, -2)
  const alone = await folder.run(...withoutCraft, '--signed', dearer)
  t.match(alone, { code: 0, stdout: /\nWithout --craft nothing says what whoever signed has changed of it\.\n/ })
  const later = await owner.signTransaction({ ...same, nonce: 3 })
  t.match(await withSigned(later), {
    code: 1,
    stdout: '',
    stderr: /Do not send it\.\nterms\.nonce: expected 0, as it was crafted, found 3\n/,
  })
  t.match(await withSigned(later, '--chosen', 'nonce'), { code: 0, stdout: /has changed nonce: it was crafted with 0 and is 3\./ })
  for (const [what, text, reason] of [
    ['another key', await stranger.signTransaction(same), /signers\[0\]: expected/],
    ['another amount', await owner.signTransaction({ ...same, value: value + 1n }), /calls\[0\]\.value: expected/],
    ['less gas', await owner.signTransaction({ ...same, gasLimit: gasLimit - 1n }), /terms\.gasLimit: expected at least 282054/],
    ['a price at which it waits', await owner.signTransaction({ ...same, gasPrice: 1 }), /terms\.gasPrice: expected at least 56100000000/],
    ['no signature', evm.craft.serialized_tx_hex, /signatures: expected one of each signer, found none/],
    ['something else', '0x00', /bytes: expected one signed transaction/],
  ] as const)
    t.match(await withSigned(text), { code: 1, stdout: '', stderr: reason }, what)
  for (const [args, sentence] of [
    [[...DELEGATE, '--chosen', 'nonce'], /--chosen needs --signed/],
    [[...withoutCraft, '--signed', signed, '--sent', 'x.json', '--headers', 'y.json'], /--sent needs --craft/],
    [withoutCraft, /--craft is missing/],
  ] as const)
    t.match(await folder.run(...args), { code: 2, stderr: sentence })
})

t.test('explain says what is no transaction, family by family', async (t) => {
  const { code, stdout, stderr } = await folder.run('explain', '00')
  t.strictSame([code, stdout], [1, ''])
  t.match(stderr, /^This is no transaction of any of the four families\.\nEVM: .*\nSolana: .*\nSui: .*\nCosmos: .*\n$/)
  const typed = await folder.run('explain', '0x03f8')
  t.match(typed, { code: 1, stderr: /EVM: the transaction is of type 3, which carries blobs \(EIP-4844\)/ })
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
  const signed = (created: number, sent: Readonly<Record<string, string>>, base = '') => {
    const asked = ['content-digest', 'x-network', 'x-nonce'].flatMap((name) => {
      const [, value] = Object.entries(sent).find(([each]) => each.toLowerCase() === name) ?? []
      return value === undefined ? [] : [[`"${name}";req`, value]]
    })
    const lines = [
      ['"@status"', '200'],
      ['"content-digest"', digestOf(answer)],
      ['"@method";req', 'POST'],
      ['"@path";req', `${base}/api/v1/evm-three/native/action/delegate`],
      ['"@query";req', '?'],
      ...asked,
    ]
    const parameters = `(${lines.map(([name]) => name).join(' ')});created=${created};alg="ed25519";keyid="${kid}";tag="svc-response-1"`
    const covered = [...lines.map(([name, value]) => `${name}: ${value}`), `"@signature-params": ${parameters}`].join('\n')
    const signature = sign(null, Buffer.from(covered), privateKey).toString('base64')
    return { 'Content-Digest': digestOf(answer), 'Signature-Input': `svc=${parameters}`, Signature: `svc=:${signature}:` }
  }
  const now = Math.floor(Date.now() / 1000)
  await folder.write('sent.json', nonced)
  await folder.write('signed.json', signed(now, nonced))
  const withKeys = changed({ trust: 'keys.json' })
  // What is taken on the service's word stands between.
  const asked = async (headers: string, ...more: readonly string[]) => {
    const outcome = await run([...withKeys, '--headers', headers, '--sent', 'sent.json', ...more], folder.path)
    return { ...outcome, lines: outcome.lines.filter((line) => !line.startsWith("On the service's word: ")) }
  }
  const fresh = await asked('signed.json', '--max-age', '300')
  t.match(fresh, { code: 0, lines: [evm.sentence, /^The service's answer to this request, of \d{4}-\d\d-\d\dT[\d:]+Z, \d+ s old\.$/] })
  t.equal(fresh.lines.length, 2)
  await folder.write('text.json', signed(now, nonced, '/text'))
  t.match(await asked('text.json'), { code: 0, lines: [evm.sentence, /^The service's answer to this request/] }, 'amounts as text')
  await folder.write('other.json', signed(now, nonced, '/other'))
  t.match(await asked('other.json'), { code: 1, errors: [/not the service's answer/, /does not fit/] }, 'another base path')

  const yesterday = new Date((now - 86_400) * 1000).toISOString().replace('.000', '')
  await folder.write('old.json', signed(now - 86_400, nonced))
  t.match(await asked('old.json'), { code: 0, lines: [evm.sentence, new RegExp(`of ${yesterday}, 864\\d\\d s old`)] })
  const refused = ['This is not the service’s answer of now to this request. Do not sign it.'.replace('’', "'")]
  t.match(await asked('old.json', '--max-age', '300'), { code: 1, lines: [], errors: [...refused, /864\d\d s old; 300 s are allowed\.$/] })
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
