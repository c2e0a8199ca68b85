// Runs one change of the media library for a dialog: says what the server refuses, and reads everything anew.

import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { enqueue } from '../api/write-queue.ts'
import { useErrorText } from '../app/error-text.ts'
import { toast } from '../ui/toasts.tsx'

/** A change that runs, or has failed. */
export interface MediaTask {
  readonly isBusy: boolean
  /** The reason for which the server has refused a change; null if it has refused nothing. */
  readonly fault: string | null
  /** Runs the change and returns whether it was done, which a message says. */
  readonly run: (change: () => Promise<unknown>, done: string) => Promise<boolean>
}

export function useMediaTask(): MediaTask {
  const errorText = useErrorText()
  const queries = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const run = async (change: () => Promise<unknown>, done: string) => {
    setBusy(true)
    setFault(null)
    try {
      await enqueue(change)
      toast(done)
      return true
    } catch (error) {
      setFault(errorText(error))
      return false
    } finally {
      setBusy(false)
      // Several deletions may have stopped half way. Lists of entries show files too.
      void queries.invalidateQueries({ queryKey: ['media', 'files'] })
      void queries.invalidateQueries({ queryKey: ['media', 'folders'] })
      // Of a single file only later: it may be the one that is deleted.
      void queries.invalidateQueries({ queryKey: ['media'], refetchType: 'none' })
      void queries.invalidateQueries({ queryKey: ['entries'] })
    }
  }
  return { isBusy, fault, run }
}
