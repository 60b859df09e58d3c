import { type HostExtension, shortName } from '@svc/core'
import type { Sandbox } from '@svc/sandbox'
import { badRequest, notFound, serviceError } from './codes.ts'
import type { World } from './scenarios.ts'
import type { Trust } from './trust.ts'

/** Parts that the routes tell of and act on. */
interface SandboxParts {
  readonly worlds: readonly World[]
  readonly sandbox: Sandbox
  /** The package that it came from: the operator's, of which the server knows the types only. */
  readonly local: typeof import('@svc/sandbox')
  /** Facts that are known once the service has started; requests that come before wait for them. */
  readonly started: Promise<{ readonly file: Values; readonly trust: Trust }>
}

/** Values of the credentials that `sandbox.json` has. */
interface Values {
  readonly operatorToken: string
  readonly managementToken: string
  readonly apiKey: string
}

/** Parts of a request that are looked at. */
interface Asked {
  readonly raw: { readonly socket: { readonly remoteAddress?: string | undefined } }
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

/** For people at the dashboard and programs in their place. */
const route = { config: { credential: 'token' } } as const
/** Each operation of the control port knows its own members. */
const operated = { config: { credential: 'token', readsBody: true } } as const

/**
 * Makes the routes under `/sandbox`: the protocols to try, the operations of the control port, and a stand-in for the custodian of the demo wallets. The service itself
 * never signs.
 */
export function sandboxRoutes({ worlds, sandbox, local, started }: SandboxParts): HostExtension {
  const protocolsOn = (chain: string) => [
    ...new Set(worlds.filter(({ scenario }) => scenario.chain === chain).map(({ plugin }) => shortName(plugin))),
  ]
  const answerOf = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      throw local.isSandboxError(error) ? refusal(error) : error
    })

  const register: HostExtension['register'] = async (api, life) => {
    // What follows positions by their time would wait for ours.
    sandbox.onAdvance((chain, time) => life.turned(chain.slice(chain.indexOf(':') + 1), time))
    // For the sign-in page: whoever can ask from this machine can read the file that they stand in, too.
    api.get('/tokens', { config: { credential: 'none' } }, async (request) => {
      assertLocal(request, local.namesLoopback)
      const { file } = await started
      return { operator_token: file.operatorToken, management_token: file.managementToken, api_key: file.apiKey }
    })

    api.get('', route, async () => {
      const { file, trust } = await started
      const chains = (await sandbox.states()).map(({ chain, operations, block, time, epoch, fault }) => ({
        chain,
        protocols: protocolsOn(chain),
        operations: Object.entries(operations).map(([name, example]) => ({ name, example })),
        block,
        time: time?.toISOString() ?? null,
        epoch,
        fault,
      }))
      const wallets = sandbox.custodian.wallets.map(({ family, label, addresses, publicKey }) => {
        return { family, label, address: Object.values(addresses)[0] ?? null, addresses, public_key: publicKey }
      })
      return { chains, wallets, trust, api_key: file.apiKey }
    })

    api.post<{ Params: { family: string; id: string; operation: string } }>('/chains/:family/:id/:operation', operated, (request) => {
      const { family, id, operation } = request.params
      return answerOf(sandbox.operate(`${family}:${id}`, operation, request.body ?? {}))
    })

    api.post('/wallets/sign', { ...route, schema: { body: SIGN } }, (request) => {
      const { family, address, payload } = request.body as { family: string; address: string; payload: string }
      const work = async () => {
        const { algorithm, signature, publicKey, prepare } = await sandbox.custodian.sign(family, address, local.parsePayload(payload))
        return { algorithm, signature, public_key: publicKey, prepare }
      }
      return answerOf(work())
    })
  }
  return { name: 'sandbox', register }
}

const text = { type: 'string' }
const SIGN = {
  type: 'object',
  required: ['family', 'address', 'payload'],
  properties: { family: text, address: text, payload: text },
  additionalProperties: false,
}

/** Headers by which a proxy says that it asks for somebody else. */
const FORWARDED = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip']

/** @throws 403 for a request that is not from this machine to this machine, in its own name */
function assertLocal({ raw, headers }: Asked, namesLoopback: (header: string | undefined) => boolean): void {
  const peer = raw.socket.remoteAddress ?? ''
  const { host } = headers
  const origin = headers.origin === undefined ? undefined : String(headers.origin)
  const isLocal = namesLoopback(String(host)) && (origin === undefined || namesLoopback(origin))
  if (isLocal && /^(127\.|::1$|::ffff:127\.)/.test(peer) && !FORWARDED.some((name) => name in headers)) return
  throw serviceError(
    403,
    'SANDBOX_FOREIGN',
    'The tokens of the sandbox are told to this machine alone, under 127.0.0.1 or localhost: they stand in sandbox.json, too.',
  )
}

function refusal({ code, message }: { readonly code: string; readonly message: string }): Error {
  const sentence = message.endsWith('.') ? message : `${message}.`
  if (code === 'NOT_FOUND') return notFound('SANDBOX_NOT_FOUND', sentence)
  if (code === 'INVALID_INPUT') return badRequest('SANDBOX_INPUT_INVALID', sentence)
  if (code === 'NOT_SUPPORTED') return badRequest('SANDBOX_NOT_SUPPORTED', sentence)
  return serviceError(500, 'SANDBOX_FAILED', sentence)
}
