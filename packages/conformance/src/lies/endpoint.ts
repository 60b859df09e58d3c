import type { EndpointCall, Liar, Lie } from '../family.ts'
import { present } from '../present.ts'
import type { Subject } from '../subject.ts'

/** A lie about one question. */
export interface Told extends Lie {
  readonly question: string
}

/** An endpoint of a trial. It answers from what was recorded, and asks the chain what was not. */
export interface Endpoint {
  readonly url: string
  fetch(request: Request): Promise<Response>
  /** The same for a group of endpoints besides the chain's own, which is always honest. */
  further(group: string): Endpoint
}

/** Answers of the chain, and of what is next to it, to each question of a request. */
export interface Recording {
  /** Answers of the chain by question. */
  readonly answers: ReadonlyMap<string, string>
  endpoint(name: string, lie: Told | null): Endpoint
  /** One that answers as `endpoint` does, each answer as `how` makes it. */
  changed(name: string, how: (question: string, answer: string) => string): Endpoint
  /** One that asks the chain each time, and records nothing. @param how each answer is made @default as it came */
  live(name: string, how?: (question: string, answer: string) => string): Endpoint
  /** One that answers what was recorded and nothing else, each answer as `how` makes it. @default as it was recorded */
  replay(name: string, how?: (question: string, answer: string) => string): Endpoint
}

/** Makes an empty recording of answers; the first trial on an honest endpoint fills it. */
export function createRecording({ world, upstream, kit }: Subject, liar: Liar = WHOLE): Recording {
  const answers = new Map<string, string>()
  const types = new Map<string, string>()
  /** Whole answers of groups besides the chain. */
  const others = new Map<string, string>()

  async function real(
    base: string,
    request: Request,
    { path, body }: EndpointCall,
  ): Promise<{ text: string; type: string; good: boolean }> {
    const headers = new Headers(request.headers)
    headers.delete('content-length')
    const encoding = encodingOf(headers.get('content-type'))
    const response = await upstream.fetch(`${base.replace(/\/$/, '')}${path}`, {
      method: request.method,
      headers,
      ...(request.method === 'GET' ? {} : { body: Buffer.from(body, encoding) }),
    })
    const type = response.headers.get('content-type') ?? 'application/json'
    return { text: Buffer.from(await response.arrayBuffer()).toString(encodingOf(type)), type, good: response.ok }
  }

  const endpoint = (name: string, lie: Told | null): Endpoint =>
    answering(name, (question, answer) => (lie !== null && lie.question === question ? lie.answers() : [answer]))
  const answering = (name: string, choose: (question: string, answer: string) => readonly string[]): Endpoint => ({
    url: `http://${name}.invalid`,
    async fetch(request) {
      const call = await askedOf(request)
      const questions = liar.questions(call)
      const remembered = () => questions.map((question) => answers.get(question)).filter((answer) => answer !== undefined)
      const previous = remembered()
      let [type, replies] = [types.get(call.path) ?? 'application/json', previous.length === questions.length ? previous : null]
      if (!replies) {
        const answer = await real(world.rpcUrl, request, call)
        replies = answer.good ? [...(liar.answers(call, answer.text) ?? [])] : []
        if (replies.length !== questions.length) return respond(answer.text, answer.type, answer.good ? 200 : 502)
        type = answer.type
        types.set(call.path, type)
        for (const [index, answer] of replies.entries()) {
          const question = present(questions[index], `a question ${index}`)
          if (!answers.has(question)) answers.set(question, answer)
        }
        // Beside a question that is new too, the others are answered as before: a head among them would tell of a chain that has gone on.
        replies = remembered()
      }
      const choices = replies.map((answer, index) => choose(present(questions[index], `a question ${index}`), answer))
      return respond(liar.answer(call, choices), type, 200)
    },
    further: (group) => ({
      url: `http://${group}.further.invalid`,
      async fetch(request) {
        const call = await askedOf(request)
        const key = JSON.stringify([group, call])
        const url = group === kit.endpoints ? world.rpcUrl : present(world.endpoints[group]?.[0], `an endpoint of ${group}`)
        const text = others.get(key) ?? (await real(url, request, call)).text
        others.set(key, text)
        return respond(text, 'application/json', 200)
      },
      further: (other) => answering(name, choose).further(other),
    }),
  })
  const replay: Recording['replay'] = (name, how = (_question, answer) => answer) => ({
    url: `http://${name}.invalid`,
    async fetch(request) {
      const call = await askedOf(request)
      const questions = liar.questions(call)
      const earlier = questions.flatMap((question) => {
        const answer = answers.get(question)
        return answer === undefined ? [] : [[how(question, answer)]]
      })
      if (earlier.length < questions.length) return respond('it never answered that', 'text/plain', 503)
      return respond(liar.answer(call, earlier), types.get(call.path) ?? 'application/json', 200)
    },
    further: (group) => endpoint(name, null).further(group),
  })
  const live: Recording['live'] = (name, how) => ({
    url: `http://${name}.invalid`,
    async fetch(request) {
      const call = await askedOf(request)
      const { text, type, good } = await real(world.rpcUrl, request, call)
      const replies = how && good ? liar.answers(call, text) : null
      if (!how || !replies) return respond(text, type, good ? 200 : 502)
      const questions = liar.questions(call)
      const choices = replies.map((answer, index) => [how(present(questions[index], `a question ${index}`), answer)])
      return respond(liar.answer(call, choices), type, 200)
    },
    further: (group) => endpoint(name, null).further(group),
  })
  const changed: Recording['changed'] = (name, how) => answering(name, (question, answer) => [how(question, answer)])
  return { answers, endpoint, changed, live, replay }
}

/**
 * Makes a `fetch` that asks the chain, and what is beside it, once for each question, and answers repeated questions from memory: for services that ask much the same while
 * the chain stands still. Their clocks stand still as well, so that no answer grows old.
 */
export function remembering(subject: Subject): typeof fetch {
  const { world, family } = subject
  const chain = createRecording(subject, family.liar).endpoint('memory', null)
  const groups = Object.entries(world.endpoints).flatMap(([group, urls]) => urls.map((url) => [url, chain.further(group)] as const))
  return async (input, init) => {
    const address = input instanceof Request ? input.url : String(input)
    const [base, endpoint] = groups.find(([url]) => address.startsWith(url)) ?? [world.rpcUrl, chain]
    const path = address.slice(base.replace(/\/$/, '').length)
    return endpoint.fetch(new Request(`${endpoint.url}${path}`, input instanceof Request ? input : init))
  }
}

/**
 * Makes a `fetch` that changes the chain's answers as if a unit of gas cost more.
 *
 * @param dearer of the family's liar
 * @param factor how many times as much, read for each call
 */
export function dearer(subject: Subject, dearer: NonNullable<Liar['dearer']>, factor: () => bigint): typeof fetch {
  const { world, family, upstream } = subject
  const rpcUrl = world.rpcUrl.replace(/\/$/, '')
  const chain = createRecording(subject, family.liar).live('dear', (question, answer) => dearer(question, answer, factor()))
  return async (input, init) => {
    const address = input instanceof Request ? input.url : String(input)
    if (!address.startsWith(rpcUrl)) return upstream.fetch(input, init)
    return chain.fetch(new Request(`${chain.url}${address.slice(rpcUrl.length)}`, input instanceof Request ? input : init))
  }
}

/** Liar of a family that has none: calls and answers are taken whole. */
const WHOLE: Liar = {
  questions: ({ path, body }) => [`${path} ${body}`],
  answers: (_call, answer) => [answer],
  answer: (_call, [[answer = ''] = []]) => answer,
  lies: () => [],
  believed: {},
}

async function askedOf(request: Request): Promise<EndpointCall> {
  const { pathname, search } = new URL(request.url)
  const bytes = Buffer.from(await request.arrayBuffer())
  return { path: pathname + search, body: bytes.toString(encodingOf(request.headers.get('content-type'))) }
}

function respond(text: string, type: string, status: number): Response {
  return new Response(Buffer.from(text, encodingOf(type)), { status, headers: { 'content-type': type } })
}

/** Returns the encoding of a body: a body that is no text goes through as one character a byte. */
function encodingOf(type: string | null): 'utf8' | 'latin1' {
  return type === null || /json|text\//.test(type) ? 'utf8' : 'latin1'
}
