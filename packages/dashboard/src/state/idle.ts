import { askAgain, phase } from './session.ts'

/** Time that the page may stand without input before it hides what it shows, in milliseconds: a choice of this project. */
const IDLE_MS = 30 * 60_000
const INPUTS = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const

/** Asks for the token again after 30 minutes without input. */
export function watchIdle(): void {
  let last = Date.now()
  let timer: number | undefined
  const look = () => {
    const left = last + IDLE_MS - Date.now()
    if (left > 0) timer = window.setTimeout(look, left)
    else {
      timer = undefined
      askAgain('You were signed out after 30 minutes without input.')
    }
  }
  for (const name of INPUTS) window.addEventListener(name, () => (last = Date.now()), { passive: true, capture: true })
  phase.subscribe((now) => {
    window.clearTimeout(timer)
    last = Date.now()
    if (now === 'in') timer = window.setTimeout(look, IDLE_MS)
  })
  // A machine that slept ran no timer.
  document.addEventListener('visibilitychange', () => {
    if (timer === undefined || document.hidden) return
    window.clearTimeout(timer)
    look()
  })
}
