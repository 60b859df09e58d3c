// The walk of somebody who uses commands and agents with a chain family that is nobody else's: what `svc check`, `svc trust`, `svc-verify`, the server for agents and `svc tx` make of it,
// from the packages as they are installed.
import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { attempt, outsideEnvironment, root, run } from '../registry.mjs'

/** What is installed for it besides the server. */
export const WITH_COMMANDS = ['@svc/client', '@svc/mcp']

/** A sandbox's config, beside which its service runs. */
const CONFIG = '.svc/sandbox.config.json'

/**
 * Stakes by the tools of an agent, and reads by commands what they have made.
 *
 * @param folder in which the packages are installed and the sandbox runs
 * @param sandbox content of its sandbox.json
 * @param says what the protocol is called, and what its stake says
 * @throws Error with the sentence that does not hold
 */
export async function commandWalk(folder, { baseUrl, apiKey, managementToken, wallets }, says) {
  const bin = (name) => join(folder, 'node_modules/.bin', name)
  const [{ address }] = wallets[says.wallets]
  const check = run(folder, bin('svc'), 'check', '--config', CONFIG)
  expect(/All is well\./.test(check) && check.includes(says.path), `svc check finds it well:\n${check}`)
  await writeFile(join(folder, 'trust.json'), run(folder, bin('svc'), 'trust', '--config', CONFIG, '--account', 'demo', '--url', baseUrl))

  // svc-verify, of the answer to this request, and of one to a request of one unit more.
  const request = { [says.signer]: address, amount: '100' }
  await writeFile(join(folder, 'request.json'), JSON.stringify(request))
  const verified = async (amount) => {
    const answer = await post(`${baseUrl}/api/v1/${says.path}/action/${says.action}`, { 'x-api-key': apiKey }, { ...request, amount })
    const craft = await answer.text()
    expect(answer.status === 200, `a stake is crafted: ${craft}`)
    await writeFile(join(folder, 'craft.json'), craft)
    await writeFile(join(folder, 'headers.json'), JSON.stringify(Object.fromEntries(answer.headers)))
    const files = ['--request', 'request.json', '--craft', 'craft.json', '--headers', 'headers.json']
    const result = attempt(folder, bin('svc-verify'), '--trust', 'trust.json', '--protocol', says.path, '--action', says.action, ...files)
    return { ...result, craft: JSON.parse(craft) }
  }
  const forged = await verified(`100.${'1'.padStart(says.decimals, '0')}`)
  expect(forged.status === 1, `svc-verify refuses one unit more than was asked for:\n${forged.stdout}${forged.stderr}`)
  const honest = await verified(request.amount)
  expect(honest.status === 0 && says.sentence.test(honest.stdout), `svc-verify says what it does:\n${honest.stdout}${honest.stderr}`)
  const bytes = honest.craft[says.bytes]
  const explained = run(folder, bin('svc-verify'), 'explain', bytes, '--trust', 'trust.json', '--protocol', says.path)
  expect(explained.includes(honest.stdout.split(';')[0]), `svc-verify explain says the same of the bytes alone:\n${explained}`)
  console.log('svc check, svc-verify: it is well, its bytes are read, and one unit more is refused')

  // An agent drafts, has it signed, sends it, and is told what became of it.
  const protocols = { near: { intent: says.intent, network: says.network } }
  await writeFile(join(folder, 'svc-mcp.json'), JSON.stringify({ trust: 'trust.json', protocols, broadcast: true }))
  const agent = await connected({
    command: bin('svc-mcp'),
    args: ['--config', join(folder, 'svc-mcp.json')],
    env: { ...outsideEnvironment(), SVC_API_KEY: apiKey },
  })
  try {
    const call = async (name, given) => {
      const { structuredContent, isError, content } = await agent.callTool({ name, arguments: given })
      expect(!isError && structuredContent, `the tool ${name} answers: ${JSON.stringify(content)}`)
      return structuredContent
    }
    const { draft, payload, sentence } = await call(`staking_draft_near_${says.action}`, request)
    expect(says.sentence.test(sentence), `the draft says what it does: ${sentence}`)
    const signed = await (
      await post(`${baseUrl}/api/v1/sandbox/wallets/sign`, { token: managementToken }, { family: says.wallets, address, payload })
    ).json()
    const { tx_hash: hash } = await call('staking_broadcast', { draft, signature: signed.signature, sentence })
    const status = await call('staking_status', { protocol: 'near', tx_hash: hash })
    expect(['pending', 'included', 'final'].includes(status.status), `the agent is told what became of it: ${JSON.stringify(status)}`)
    const told = run(folder, bin('svc'), 'tx', hash, '--config', CONFIG, '--ask')
    expect(told.includes(hash) && /included|final/i.test(told), `svc tx tells what became of it:\n${told}`)
  } finally {
    await agent.close()
  }
  console.log('An agent and svc tx: it is drafted, signed, sent, and told to be on the chain')
}

/** @param key headers that say who asks */
async function post(url, key, body) {
  return fetch(url, { method: 'POST', headers: { ...key, 'content-type': 'application/json' }, body: JSON.stringify(body) })
}

/** A client of the protocol for agents, which this repository tests with. */
async function connected(command) {
  const own = createRequire(join(root, 'packages/mcp/package.json'))
  const load = (name) => import(pathToFileURL(own.resolve(name)).href)
  const [{ Client }, { StdioClientTransport }] = await Promise.all([
    load('@modelcontextprotocol/client'),
    load('@modelcontextprotocol/client/stdio'),
  ])
  const client = new Client({ name: 'walk', version: '0.0.0' })
  await client.connect(new StdioClientTransport(command))
  return client
}

function expect(holds, sentence) {
  if (!holds) throw new Error(`This does not hold: ${sentence}`)
}
