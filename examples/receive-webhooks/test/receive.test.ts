import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createClient } from '@svc/client'
import { ethersSigner } from '@svc/client/signers'
import { evmThree } from '@svc/intent-evm-three'
import { root, runExample, startServer, temporaryFolder } from '@svc/testing/processes'
import { Wallet } from 'ethers'
import t from 'tap'

const program = 'receive-webhooks/src/main.ts'

t.test('without a sandbox the program says in one sentence how to start one', async (t) => {
  const { code, out, err } = await runExample(program, { SVC_DATA: await temporaryFolder(t), PORT: '0' })
  t.same([code, out], [1, ''])
  t.match(err, /^No sandbox is running: there is no \S+\. Run `npm start` at the root of the repository first\.\n$/)
})

t.test('with a running sandbox', { timeout: 120_000 }, async (t) => {
  const { dataDir, file, trust } = await startServer(t, await temporaryFolder(t), ['evm-three'])
  const receiver = spawn(process.execPath, ['--conditions=@svc/source', join(root, 'examples', program)], {
    env: { ...process.env, SVC_DATA: dataDir, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.teardown(() => receiver.kill('SIGKILL'))
  const { has, all } = linesOf(receiver)
  const [, url = ''] = await has(/^RECEIVING {2}(\S+)/)
  await has(/^ {2}ping /)

  const { wallets, apiKey } = file as unknown as { wallets: { evm: [{ address: string; privateKey: string }] }; apiKey: string }
  const [{ address, privateKey }] = wallets.evm
  const { monad } = createClient({ trust: trust as never, apiKey, protocols: { monad: evmThree } })
  const send = async (tx: Awaited<ReturnType<typeof monad.craft>>) => monad.send(await tx.sign(ethersSigner(new Wallet(privateKey))))
  const epoch = () => fetch(`${file.controlUrl}/chains/evm/143/advance`, { method: 'POST', body: '{ "epochs": 1 }' })

  await t.test('a stake is told of from its block to its withdrawal, by messages alone', async (t) => {
    const { txHash } = await send(await monad.delegate({ address, amount: '100' }))
    t.ok(
      await has(new RegExp(`^ {2}transaction\\.final +${txHash} is in block \\d+ for good, for a fee of 0\\.\\d+ MON: Delegate 100 MON`)),
    )
    await epoch()
    t.ok(await has(/^ {2}position\.active +100 MON of 0x\w+ earns since 2\S+Z$/))
    const exit = await send(await monad.undelegate({ address, amount: '40', withdrawId: 7 }))
    t.ok(await has(new RegExp(`^ {2}transaction\\.final +${exit.txHash} .*: Undelegate 40 MON`)))
    for (let epochs = 0; epochs < 2; epochs++) await epoch()
    t.ok(await has(/^ {2}position\.withdrawable +40 MON \(7\) of 0x\w+ can be withdrawn since 2\S+Z$/))
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
  const heard = new EventTarget()
  stdout?.setEncoding('utf8').on('data', (part: string) => {
    text += part
    heard.dispatchEvent(new Event('text'))
  })
  const all = () => text.split('\n')
  return {
    all,
    /** Waits for a line. @throws Error with what was printed, when it does not come in 30 seconds */
    async has(pattern: RegExp): Promise<RegExpExecArray> {
      const signal = AbortSignal.timeout(30_000)
      for (;;) {
        for (const line of all().slice(0, -1)) {
          const found = pattern.exec(line)
          if (found) return found
        }
        await once(heard, 'text', { signal }).catch(() => {
          throw new Error(`nothing like ${pattern} in:\n${text}`)
        })
      }
    },
  }
}
