import { Session } from 'node:inspector/promises'

/** Microseconds of a profile by what was at work. */
export type Shares = Readonly<Record<string, number>>

let session: Session | undefined

/** Begins to look at what is run, two thousand times a second. */
export async function startProfile(): Promise<true> {
  session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.setSamplingInterval', { interval: 500 })
  await session.post('Profiler.start')
  return true
}

/** Ends it. @returns the time of each owner, by the file of the function that was at work or, of what Node has built in, of its caller */
export async function stopProfile(): Promise<{ readonly owners: Shares; readonly functions: Shares }> {
  if (!session) throw new Error('no profile was begun')
  const { profile } = await session.post('Profiler.stop')
  session.disconnect()
  const times = new Map<number, number>()
  for (const [index, id] of (profile.samples ?? []).entries()) times.set(id, (times.get(id) ?? 0) + (profile.timeDeltas?.[index] ?? 0))
  const parents = new Map(profile.nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)))
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]))
  const owners: Record<string, number> = {}
  const functions: Record<string, number> = {}
  for (const { id, callFrame } of profile.nodes) {
    const time = times.get(id) ?? 0
    let at: number | undefined = id
    let owner: string | undefined
    while (at !== undefined && owner === undefined) {
      const frame = nodes.get(at)?.callFrame
      owner = frame && ownerOf(frame.functionName, frame.url)
      at = parents.get(at)
    }
    owners[owner ?? 'other'] = (owners[owner ?? 'other'] ?? 0) + time
    const name = `${callFrame.functionName || '(anonymous)'} ${callFrame.url.replace(/^.*\/(?=[^/]+\/[^/]+\/[^/]+$)/, '')}:${callFrame.lineNumber + 1}`
    functions[name] = (functions[name] ?? 0) + time
  }
  return { owners, functions }
}

function ownerOf(functionName: string, url: string): string | undefined {
  if (functionName === '(idle)') return 'idle'
  if (functionName === '(garbage collector)') return 'collector'
  if (functionName === '(program)') return 'system calls and native code'
  if (url === '') return undefined
  const module = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1]
  if (module) return module
  const own = /\/(packages\/core\/src\/[^/]+|packages\/[^/]+|plugins\/[^/]+|server\/[^/]+)/.exec(url)?.[1]
  if (own) return own.replace(/^packages\//, '')
  return url.startsWith('node:') ? url.replace(/^node:(internal\/)?/, 'node: ').replace(/(node: [^/]+).*/, '$1') : undefined
}
