import { signal } from '@preact/signals'

/** Whether a part of the page could not be loaded, as after an upgrade of the service: only a reload helps. */
export const upgraded = signal(false)

/** Listens for parts that are not there any more. */
export function watchUpgrade(): void {
  window.addEventListener('vite:preloadError', (event) => {
    event.preventDefault()
    upgraded.value = true
  })
}
