import type { Signer } from '@svc/core'

const UNBOUND = { 'content-digest': 'none', 'signature-input': 'none', signature: 'none' }

/** Leaves out the operations with keys, and nothing else of an answer: to tell what they cost. */
export const unsigned: Signer = {
  publicKeyPem: '',
  keyId: '',
  keys: [],
  sign: async () => 'unsigned',
  signSync: () => 'unsigned',
  responses: { keys: [], keyId: '' },
  bind: async () => UNBOUND,
  bindSync: () => UNBOUND,
}
