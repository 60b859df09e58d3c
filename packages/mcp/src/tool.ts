import {
  CLIENT_CAPABILITIES_META_KEY,
  fromJsonSchema,
  type InputRequiredResult,
  isInputRequiredResult,
  type JsonSchemaType,
  type McpServer,
} from '@modelcontextprotocol/server'
import { refused } from './tool-error.ts'

/** Context of one call of a tool. */
export interface Call {
  readonly signal: AbortSignal
  /** True if the host can ask its person. */
  readonly canAsk: boolean
  /** Answers of the person, where the person was asked. */
  readonly answers: Readonly<Record<string, unknown>> | undefined
}

/** @typeParam A arguments, as `input` says them: whatever does not fit is refused before `run` */
interface Definition<A> {
  readonly name: string
  readonly title: string
  readonly description: string
  /** True if the tool only reads, as all tools of this server but the broadcast do. */
  readonly readOnly: boolean
  /** True if the tool answers the same as long as nothing has changed. */
  readonly idempotent: boolean
  /** True if the tool asks the service. */
  readonly openWorld: boolean
  readonly input: JsonSchemaType
  readonly output: JsonSchemaType
  run(args: A, call: Call): Promise<Readonly<Record<string, unknown>> | InputRequiredResult>
}

/** Puts a tool into a server. */
export type Tool = (server: McpServer) => void

/** Defines a tool with the schemas of its input and output. @returns what puts the tool into each server: over HTTP every request has one of its own */
export function defineTool<A>({ readOnly, idempotent, openWorld, input, output, run, ...labels }: Definition<A>): Tool {
  const { name, title, description } = labels
  const inputSchema = fromJsonSchema<A>(input)
  const outputSchema = fromJsonSchema(output)
  const annotations = { readOnlyHint: readOnly, destructiveHint: !readOnly, idempotentHint: idempotent, openWorldHint: openWorld }
  return (server) => {
    server.registerTool(name, { title, description, inputSchema, outputSchema, annotations }, async (args, { mcpReq }) => {
      const { envelope = {}, signal, inputResponses: answers } = mcpReq
      // Of this request, or with hosts of an older revision of the connection.
      const [, capabilities] = Object.entries(envelope).find(([name]) => name === CLIENT_CAPABILITIES_META_KEY) ?? []
      const call: Call = { signal, answers, canAsk: canAsk(capabilities ?? server.server.getClientCapabilities()) }
      try {
        const outcome = await run(args, call)
        if (isInputRequiredResult(outcome)) return outcome
        return { structuredContent: outcome, content: [{ type: 'text', text: JSON.stringify(outcome) }] }
      } catch (error) {
        return refused(error)
      }
    })
  }
}

/** Tells whether a host shows its person a form: one that says `elicitation` and no more does. */
function canAsk(capabilities: unknown): boolean {
  const { elicitation }: { readonly elicitation?: unknown } = Object(capabilities)
  if (typeof elicitation !== 'object' || elicitation === null) return false
  return 'form' in elicitation || Object.keys(elicitation).length === 0
}
