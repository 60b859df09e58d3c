import { Session } from 'node:inspector'

/** Stack of the main thread at a moment, innermost first: file and line of each frame, as `blame` takes them. */
interface Moment {
  readonly places: readonly string[]
  /** Ends the process with that code, from the main thread, whose code is not gone on with. */
  exit(code: number): void
  /** Lets the main thread go on. */
  resume(): void
}

interface Paused {
  readonly params: {
    readonly callFrames: readonly {
      readonly callFrameId: string
      readonly location: { readonly scriptId: string; readonly lineNumber: number }
    }[]
  }
}

/**
 * Time between two looks at whether the main thread has come to a line of JavaScript, in milliseconds. Looks are counted, so that a process that stood still
 * meanwhile, the main thread with it, loses one of them.
 */
const LOOK_MS = 100

/**
 * Pauses the main thread and lists its frames; called from another thread. Uses Node's own inspector within the process, and opens no port. It takes 50 to 250 ms while the
 * main thread does not answer (measured with Node 24.21, 2026-11-25), and costs nothing before.
 *
 * @param mostLooks tenths of a second after which it is taken to be in a native call, within which it comes to no line of JavaScript
 * @param use looks at the moment and ends it, by `resume` or `exit`; with null when the main thread came to no line in time
 */
export function stopMainThread(mostLooks: number, use: (moment: Moment | null) => void): void {
  const session = new Session()
  session.connectToMainThread()
  const urls = new Map<string, string>()
  let looks = 0
  const late = setInterval(() => {
    if (++looks < mostLooks) return
    clearInterval(late)
    // Disconnecting takes the wish to pause back. A pause of this very moment may be on its way already: `use` has had its answer.
    session.removeAllListeners('Debugger.paused')
    session.disconnect()
    use(null)
  }, LOOK_MS)
  session.on('Debugger.scriptParsed', ({ params }: { params: { scriptId: string; url: string } }) => {
    urls.set(params.scriptId, params.url)
  })
  session.once('Debugger.paused', ({ params: { callFrames } }: Paused) => {
    clearInterval(late)
    use({
      places: callFrames.map(({ location }) => `${urls.get(location.scriptId) ?? ''}:${location.lineNumber + 1}`),
      exit(code) {
        const [frame] = callFrames
        if (frame) session.post('Debugger.evaluateOnCallFrame', { callFrameId: frame.callFrameId, expression: `process.exit(${code})` })
        session.disconnect()
      },
      resume() {
        session.post('Debugger.resume')
        session.disconnect()
      },
    })
  })
  session.post('Debugger.enable')
  session.post('Debugger.pause')
}
