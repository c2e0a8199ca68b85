// Gives all pages the model and the user.

import { createContext, type ReactNode, useContext } from 'react'
import type { User } from '../api/session.ts'
import type { Model } from '../model/types.ts'

interface Workplace {
  readonly model: Model
  readonly user: User
}

const WorkplaceContext = createContext<Workplace | null>(null)

export function WorkplaceProvider({ model, user, children }: Workplace & { readonly children: ReactNode }) {
  return <WorkplaceContext value={{ model, user }}>{children}</WorkplaceContext>
}

function useWorkplace(): Workplace {
  const workplace = useContext(WorkplaceContext)
  if (workplace === null) throw new Error('There is no model outside of the shell')
  return workplace
}

export const useModel = (): Model => useWorkplace().model
export const useUser = (): User => useWorkplace().user
