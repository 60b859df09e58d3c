import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519'
import { base58 } from '@scure/base'
import { Keypair } from '@solana/web3.js'
import { createClient, type Signer, type VerifiedTransaction } from '@svc/client'
import { ethersSigner, rawSigner, solanaKeypair, suiKeypair } from '@svc/client/signers'
import { chainOf, type Sandbox } from '@svc/example-sandbox'
import { evmThree } from '@svc/intent-evm-three'
import { hubOne } from '@svc/intent-hub'
import { moveNative } from '@svc/intent-move-native'
import { svmNative } from '@svc/intent-svm-native'
import { eventually } from '@svc/testing/eventually'
import { root, runExample, startServer, temporaryFolder } from '@svc/testing/processes'
import { SigningKey, Wallet } from 'ethers'
import t from 'tap'

const program = 'receive-webhooks/src/main.ts'

t.test('without a sandbox the program says in one sentence how to start one', async (t) => {
  const { code, out, err } = await runExample(program, { SVC_DATA: await temporaryFolder(t), PORT: '0' })
  t.same([code, out], [1, ''])
  t.match(err, /^No sandbox is running: there is no \S+\. Run `npm start` at the root of the repository first\.\n$/)
})

t.test('with a running sandbox', async (t) => {
  const { dataDir, file, trust } = await startServer(t, await temporaryFolder(t), ['evm-three', 'hub-one', 'svm-native', 'move-native'])
  const sandbox = { ...file, trust } as unknown as Sandbox
  const receiver = spawn(process.execPath, ['--conditions=@svc/source', join(root, 'examples', program)], {
    env: { ...process.env, SVC_DATA: dataDir, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.teardown(() => receiver.kill('SIGKILL'))
  const { has, all } = linesOf(receiver)
  const [, url = ''] = await has(/^RECEIVING {2}(\S+)/)
  await has(/^ {2}ping /)

  const { wallets, apiKey } = sandbox
  const protocols = { monad: evmThree, hub: hubOne, solana: svmNative, sui: moveNative }
  const { monad, hub, solana, sui } = createClient({ trust: sandbox.trust, apiKey, protocols })
  const epochs = async (chain: string, count: number) => {
    for (let epoch = 0; epoch < count; epoch++) await chainOf(sandbox, chain).advance({ epochs: 1 })
  }
  /** Has a wallet watched before it stakes, as who keeps many does: what a first reading finds was there before, and is told of to nobody. */
  async function watch(protocol: string, network: string, address: string) {
    const headers = { 'x-api-key': apiKey, 'x-network': network }
    const put = await fetch(`${file.baseUrl}/api/v1/watch/${protocol}/${address}`, { method: 'PUT', headers })
    t.equal(put.status, 200, await put.text())
    await isRead(address, new Date(0))
  }
  /** On a real chain days pass before a position changes again; here it has to be looked at before they do. */
  async function isRead(address: string, since: Date) {
    await eventually(
      `${address} is read`,
      async () => {
        const page = await (await fetch(`${file.baseUrl}/api/v1/watch`, { headers: { 'x-api-key': apiKey } })).json()
        return (page as { watches: { address: string; read_at: string | null }[] }).watches
      },
      (watches) => watches.some((each) => each.address === address && each.read_at !== null && new Date(each.read_at) >= since),
      // A key may make 200 calls a minute.
      500,
    )
  }
  /** Returns when the service knew that a transaction is final: what it reads of the wallet from then on has what came of it. */
  async function endOf(txHash: string) {
    const headers = { token: String(file.managementToken) }
    const row = (await (await fetch(`${file.baseUrl}/api/v1/transactions/${txHash}`, { headers })).json()) as { ended_at: string }
    return new Date(row.ended_at)
  }
  /** Signs, sends, and is told by a message that it is final, in these words. @returns its hash */
  async function settle(
    tx: VerifiedTransaction,
    signer: Signer,
    to: { send(signed: never): Promise<{ txHash: string }> },
    words: RegExp,
    finality = async () => {},
  ) {
    const { txHash } = await to.send((await tx.sign(signer)) as never)
    await finality()
    t.ok(await has(new RegExp(`^ {2}transaction\\.final +${txHash} is in block \\d+ for good, for a fee of [\\d.]+ \\w+: ${words.source}`)))
    return txHash
  }

  // Each family by itself, at once: what is waited for is the service's word alone.
  await t.test('a stake is told of from its block to its withdrawal, by messages alone', { jobs: 4 }, async (t) => {
    t.test('Monad', async (t) => {
      const [{ address, privateKey }] = wallets.evm
      const signer = ethersSigner(new Wallet(privateKey))
      await settle(await monad.delegate({ address, amount: '100' }), signer, monad, /Delegate 100 MON/)
      await epochs('evm:143', 1)
      t.ok(await has(/^ {2}position\.active +100 MON of 0x\w+ earns since 2\S+Z$/))
      await settle(await monad.undelegate({ address, amount: '40', withdrawId: 7 }), signer, monad, /Undelegate 40 MON/)
      await epochs('evm:143', 2)
      t.ok(await has(/^ {2}position\.withdrawable +40 MON \(7\) of 0x\w+ can be withdrawn since 2\S+Z$/))
    })
    t.test('Cosmos Hub, where an exit is paid out by itself', async (t) => {
      const [{ publicKey: pubkey, privateKey }] = wallets.cosmos
      const key = new SigningKey(`0x${privateKey}`)
      const signer = rawSigner({
        sign: async (hash) => {
          const { r, s } = key.sign(hash)
          return Buffer.from(r.slice(2) + s.slice(2), 'hex')
        },
      })
      const address = wallets.cosmos[0].addresses['cosmos:cosmoshub-4'] ?? ''
      await watch('hub-one', 'cosmoshub-4', address)
      await settle(await hub.stake({ pubkey, amount: '12.5' }), signer, hub, /.*12\.5 ATOM/)
      // A delegation counts at once and has no unit of its own: that it is final is all there is to tell.
      const txHash = await settle(await hub.unstake({ pubkey, amount: '2.5' }), signer, hub, /.*2\.5 ATOM/)
      await isRead(address, await endOf(txHash))
      await epochs('cosmos:cosmoshub-4', 22)
      t.ok(await has(/^ {2}position\.withdrawn +2\.5 ATOM \(\S+\) has come back to cosmos1\w+ at 2\S+Z$/))
    })
    t.test('Solana', async (t) => {
      const [{ address: wallet_address, secretKey }] = wallets.svm
      // Until its block is rooted: 32 slots, which on a local chain pass when they are told to.
      const rooted = async () => void (await chainOf(sandbox, 'svm:mainnet-beta').advance({ seconds: 13 }))
      await watch('svm-native', 'mainnet-beta', wallet_address)
      const signer = solanaKeypair(Keypair.fromSecretKey(base58.decode(secretKey)))
      const txHash = await settle(await solana.stake({ wallet_address, amount: '3' }), signer, solana, /.*3\.\d+ SOL/, rooted)
      const [stake_account_address = ''] = (await solana.status(txHash)).objectIds ?? []
      await epochs('svm:mainnet-beta', 2)
      t.ok(await has(new RegExp(`^ {2}position\\.active +3[.\\d]* SOL \\(${stake_account_address}\\) of \\w+ earns since 2\\S+Z$`)))
      await settle(await solana.unstake({ wallet_address, stake_account_address }), signer, solana, /.*/, rooted)
      await epochs('svm:mainnet-beta', 1)
      t.ok(
        await has(
          new RegExp(`^ {2}position\\.withdrawable +3[.\\d]* SOL \\(${stake_account_address}\\) of \\w+ can be withdrawn since 2\\S+Z$`),
        ),
      )
    })
    t.test('Sui, where an exit is there at once', async (t) => {
      const [{ address: wallet_address, secretKey }] = wallets.move
      await watch('move-native', 'mainnet', wallet_address)
      const signer = suiKeypair(Ed25519Keypair.fromSecretKey(secretKey))
      const txHash = await settle(await sui.stake({ wallet_address, amount: '100' }), signer, sui, /.*100 SUI/)
      const [staked_sui_object_id = ''] = (await sui.status(txHash)).objectIds ?? []
      await epochs('move:mainnet', 1)
      t.ok(await has(new RegExp(`^ {2}position\\.active +100 SUI \\(${staked_sui_object_id}\\) of 0x\\w+ earns since 2\\S+Z$`)))
      await settle(await sui.unstake({ wallet_address, staked_sui_object_id }), signer, sui, /.*/)
    })
  })

  await t.test('a message that is not signed is refused, and one that comes again is done once', async (t) => {
    const { status } = await fetch(url, { method: 'POST', headers: { 'webhook-id': 'msg_1' }, body: '{ "type": "transaction.final" }' })
    t.equal(status, 400)
    await has(/^ {2}refused +\S/)
    const api = `${file.baseUrl}/api/v1/webhooks`
    const headers = { token: String(file.managementToken), 'content-type': 'application/json' }
    const webhooks = (await (await fetch(api, { headers })).json()) as { ulid: string; url: string }[]
    const webhook = webhooks.find((each) => each.url === url)
    const { deliveries } = (await (await fetch(`${api}/${webhook!.ulid}/deliveries?state=delivered`, { headers })).json()) as {
      deliveries: { id: string; event: string }[]
    }
    const [delivery] = deliveries
    const again = await fetch(`${api}/${webhook!.ulid}/deliveries/${delivery!.id}/resend`, { method: 'POST', headers, body: '{}' })
    t.ok(again.ok, await again.text())
    await has(new RegExp(`^ {2}again +${delivery!.event} is done already`))
  })

  receiver.kill('SIGTERM')
  await once(receiver, 'exit')
  const left = await fetch(`${file.baseUrl}/api/v1/webhooks`, { headers: { token: String(file.managementToken) } })
  t.notOk(
    ((await left.json()) as { url: string }[]).some((each) => each.url === url),
    'what ends takes its subscription back',
  )
  t.notOk(
    all().some((line) => line.includes('something') || line.includes('undefined') || line.includes('null')),
    all().join('\n'),
  )
})

/** What a process prints, line by line. */
function linesOf({ stdout }: ChildProcess) {
  let text = ''
  stdout?.setEncoding('utf8').on('data', (part: string) => {
    text += part
  })
  const all = () => text.split('\n')
  return {
    all,
    /** Waits for a line. @throws Error with what was printed, when the line does not come */
    async has(pattern: RegExp): Promise<RegExpExecArray> {
      const find = () =>
        all()
          .slice(0, -1)
          .map((line) => pattern.exec(line))
          .find((found) => found !== null) ?? null
      const { found } = await eventually(
        `a line like ${pattern}`,
        () => ({ found: find(), text }),
        ({ found }) => found !== null,
      )
      if (found === null) throw new TypeError('it was found')
      return found
    },
  }
}
