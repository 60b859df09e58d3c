import type { Command } from 'commander'
import { credentialCommand } from './credentials.ts'

/** Makes `svc tokens`: the commands of credentials, whose options stand in credentials.ts, for management and operator tokens, which are made nowhere else. */
export function tokensCommand(): Command {
  return credentialCommand({
    kind: 'token',
    command: 'tokens',
    noun: 'management token',
    one: 'a management token',
    about:
      'A management token lets an account look after its own API keys under /api/v1/apikeys: it is sent in the header token, or as Authorization: Bearer. It is made here and nowhere else.\n' +
      'An operator token (--operator) sees and changes the API keys of all accounts and reads what the service did: it is for you, and for no customer.',
    operator: { kind: 'operator', noun: 'operator token', one: 'an operator token' },
  })
}
