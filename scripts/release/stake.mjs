// One stake over REST, as a caller makes it who writes his own client: every answer is held against the keys that the trust document pins, and the crafted bytes are
// read back by `svc-verify`, which is installed beside it. In a folder with the sandbox's files in `.svc`. Prints a line for each step.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { contentDigest, verifyResponse } from '@svc/verify/response'
import { SigningKey } from 'ethers'

const AMOUNT = 100
const read = (name) => JSON.parse(readFileSync(`.svc/${name}.json`, 'utf8'))
const { apiKey, baseUrl, wallets } = read('sandbox')
const trust = read('trust')
const [{ address, privateKey }] = wallets.evm

const terms = { address, amount: AMOUNT }
const craft = await call('POST', 'action/delegate', terms)
writeFileSync('request.json', JSON.stringify(terms))
writeFileSync('craft.json', JSON.stringify(craft))
const files = [
  '--trust',
  '.svc/trust.json',
  '--protocol',
  'evm-three',
  '--action',
  'delegate',
  '--request',
  'request.json',
  '--craft',
  'craft.json',
]
const [sentence] = execFileSync('npx', ['--no-install', 'svc-verify', ...files], { encoding: 'utf8' }).split('\n')
console.log(`crafted, and read back: ${sentence}`)

const { r, s, v } = new SigningKey(privateKey).sign(craft.unsigned_tx_hash_hex)
const signed = await call('POST', 'action/prepare', { ...craft, r, s, v })
const { tx_hash } = await call('POST', 'action/broadcast', signed)
console.log(`signed outside of the service, and broadcast: ${tx_hash}`)

for (let tries = 0; ; tries++) {
  const balance = await call('GET', `staking-balance/${address}`)
  if (balance.stake_activation_amount === AMOUNT) break
  if (tries === 120) throw new Error(`half a minute later the position is ${JSON.stringify(balance)}`)
  await wait(250)
}
console.log(`the chain has it: ${AMOUNT} waiting for the next epoch. Every answer was signed by a pinned key.`)

/** A call whose answer is believed only when it is signed, and is the answer to this very request. */
async function call(method, path, body) {
  const text = body === undefined ? undefined : JSON.stringify(body)
  const request = {
    method,
    url: `${baseUrl}/api/v1/evm-three/native/${path}`,
    headers: {
      'x-api-key': apiKey,
      'x-network': '143',
      'x-nonce': crypto.randomUUID(),
      'accept-encoding': 'identity',
      ...(text === undefined ? {} : { 'content-type': 'application/json', 'content-digest': await contentDigest(text) }),
    },
    ...(text === undefined ? {} : { body: text }),
  }
  const sentAt = new Date()
  const answer = await fetch(request.url, { ...request, cache: 'no-store' })
  const response = { status: answer.status, headers: answer.headers, bytes: new Uint8Array(await answer.arrayBuffer()) }
  const verdict = await verifyResponse({ request, response, keys: trust.keys, sentAt })
  if (!verdict.ok) throw new Error(`${method} ${path}: ${verdict.reason}`)
  const json = new TextDecoder().decode(response.bytes)
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${json}`)
  return JSON.parse(json)
}
