import { useEffect, useState } from 'preact/hooks'
import './inspector.css'
import { Input } from './input.tsx'
import { Result } from './result.tsx'
import { useInspection } from './use-inspection.ts'
import { outcome } from './words.ts'

/** Everything of the Inspector that needs no service: what is put in at the left, what it is at the right. */
export function Inspector() {
  const inspected = useInspection()
  const { inspection, terms, request, action } = inspected
  const isDragged = useDrop(inspected.take)
  const wantsNumber = inspection.kind === 'read' && inspection.readings.some(({ family, hash }) => family === 'cosmos' && hash === null)
  return (
    <div class={isDragged ? 'columns inspector dragged' : 'columns inspector'}>
      <Input inspected={inspected} wantsNumber={wantsNumber} />
      <div class="stack">
        <Result inspection={inspection} hasTerms={terms !== null} isAsked={request.trim() !== '' || action !== ''} />
      </div>
      <span class="hidden-visually" role="status">
        {outcome(inspection)}
      </span>
    </div>
  )
}

/** Files that are dropped anywhere on the page. @returns whether some are being held over it */
function useDrop(take: (files: Iterable<File>) => Promise<void>): boolean {
  const [isDragged, setDragged] = useState(false)
  useEffect(() => {
    const over = (event: DragEvent) => {
      event.preventDefault()
      setDragged(true)
    }
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setDragged(false)
    }
    const drop = (event: DragEvent) => {
      event.preventDefault()
      setDragged(false)
      void take(event.dataTransfer?.files ?? [])
    }
    window.addEventListener('dragover', over)
    window.addEventListener('dragleave', leave)
    window.addEventListener('drop', drop)
    return () => {
      window.removeEventListener('dragover', over)
      window.removeEventListener('dragleave', leave)
      window.removeEventListener('drop', drop)
    }
  }, [])
  return isDragged
}
