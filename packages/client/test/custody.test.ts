import { readFileSync } from 'node:fs'
import type { ToSign } from '@svc/client'
import { type CustodyPlatform, payloadsFor } from '@svc/client/signers'
import t from 'tap'

// Bodies for custody platforms, against those that the platforms' own libraries sent.

const { crafts, payloads, emits } = JSON.parse(readFileSync(new URL('support/custody.json', import.meta.url), 'utf8'))
const hex = (text: string) => Uint8Array.from(Buffer.from(text.replace(/^0x/, ''), 'hex'))
const page = readFileSync(new URL('../../../docs/custody.md', import.meta.url), 'utf8')

const requests: Readonly<Record<string, Pick<ToSign, 'algorithm' | 'payload' | 'answer'>>> = {
  evm: { algorithm: 'secp256k1', payload: hex(crafts.evm.unsigned_tx_hash_hex), answer: crafts.evm },
  cosmos: { algorithm: 'secp256k1', payload: hex(crafts.cosmos.unsigned_tx_hash_hex), answer: crafts.cosmos },
  svm: { algorithm: 'ed25519', payload: hex(payloads.svm), answer: crafts.svm },
  move: { algorithm: 'ed25519', payload: hex(payloads.move), answer: crafts.move },
}
const bodies = (family: string) => payloadsFor(requests[family]!)

/** Members of what a library sent that follow from the transaction. */
const without = (sent: object, ...names: string[]) => Object.fromEntries(Object.entries(sent).filter(([name]) => !names.includes(name)))
const vault = ['assetId', 'source', 'externalTxId']
const wallet = ['organizationId', 'signWith']

t.test('each body is the one that the library of the platform sent', async (t) => {
  const { fireblocks, turnkey, aws_kms } = emits
  t.same(bodies('evm')['fireblocks-raw'], without(fireblocks.raw_evm, ...vault))
  t.same(bodies('cosmos')['fireblocks-raw'], without(fireblocks.raw_cosmos, ...vault))
  const program = Buffer.from(fireblocks.program_call.extraParameters.programCallData, 'base64').toString('hex')
  const called = payloadsFor({ algorithm: 'ed25519', payload: new Uint8Array(), answer: { unsigned_tx_hex: program } })
  t.same(called['fireblocks-program-call'], without(fireblocks.program_call, ...vault))

  t.same(bodies('svm')['turnkey-raw-payload'], without(turnkey.sign_raw_payload_solana, ...wallet))
  t.same(bodies('evm')['turnkey-raw-payload'], without(turnkey.sign_raw_payload_ethereum, ...wallet))
  t.same(bodies('svm')['turnkey-transaction'], without(turnkey.sign_transaction_solana, ...wallet))
  t.same(bodies('evm')['turnkey-transaction'], without(turnkey.sign_transaction_ethereum, ...wallet))

  t.same(bodies('evm')['aws-kms'], without(aws_kms.evm.body, 'KeyId'))
  const zero = payloadsFor({ algorithm: 'ed25519', payload: Uint8Array.of(0), answer: crafts.svm })
  t.same(zero['aws-kms'], without(aws_kms.solana.body, 'KeyId'))
  const other = payloadsFor({ algorithm: 'ed25519', payload: Uint8Array.of(0xaa), answer: crafts.svm })
  t.same(other['vault-transit'], { input: emits.vault.body.input })
})

t.test('a platform that cannot sign for a chain is left out, and each signs the payload and nothing else', async (t) => {
  const names = (family: string) => Object.keys(bodies(family)).sort()
  const everywhere: readonly CustodyPlatform[] = ['aws-kms', 'dfns', 'fireblocks-raw', 'google-kms', 'turnkey-raw-payload']
  t.same(names('evm'), [...everywhere, 'azure-key-vault', 'cobo', 'turnkey-transaction'].sort())
  t.same(names('cosmos'), [...everywhere, 'azure-key-vault', 'cobo'].sort())
  t.same(names('svm'), [...everywhere, 'fireblocks-program-call', 'turnkey-transaction', 'vault-transit'].sort())
  t.same(names('move'), [...everywhere, 'vault-transit'].sort())

  for (const [family, { payload }] of Object.entries(requests)) {
    const forms = ['hex', 'base64', 'base64url'].map((form) => Buffer.from(payload).toString(form as 'hex'))
    for (const [platform, body] of Object.entries(bodies(family)).filter(([name]) => !/transaction|program/.test(name))) {
      const texts = JSON.stringify(body)
      t.ok(
        forms.some((form) => texts.includes(JSON.stringify(form).slice(1, -1))),
        `${platform} is handed the payload of ${family}`,
      )
    }
  }
  t.same(payloadsFor({ algorithm: 'ed25519', payload: Uint8Array.of(1), answer: null })['fireblocks-program-call'], undefined)
})

t.test('the page on custody platforms names each, with the body that is sent', async (t) => {
  const shown = [...page.matchAll(/<!-- (\S+) (\S+) -->\n```json\n([\s\S]*?)```/g)]
  for (const [, platform = '', family = '', text = ''] of shown)
    t.same(JSON.parse(text), bodies(family)[platform as CustodyPlatform], `${platform} ${family}`)
  t.same(
    [...new Set(shown.map(([, platform]) => platform))].sort(),
    [...new Set(Object.keys(requests).flatMap((family) => Object.keys(bodies(family))))].sort(),
    'all of them',
  )
})
