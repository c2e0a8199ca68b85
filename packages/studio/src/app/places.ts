// The pages of the panel beside those of types: each is in the navigation of those who have the action that it needs.

import { Cable, Images, KeyRound, type LucideIcon, UsersRound } from 'lucide-react'
import { manageTokens } from '../api/tokens.ts'
import { userActions } from '../api/users.ts'
import type english from '../messages/en.json'

/** A page of the navigation. */
export interface Place {
  readonly to: '/media' | '/users' | '/roles' | '/tokens'
  readonly name: keyof typeof english.places
  readonly Icon: LucideIcon
  /** The action without which it is not shown. */
  readonly needs: string
}

const places: readonly Place[] = [
  { to: '/media', name: 'media', Icon: Images, needs: 'plugin::upload.content-api.find' },
  { to: '/users', name: 'users', Icon: UsersRound, needs: userActions.list },
  { to: '/roles', name: 'roles', Icon: KeyRound, needs: userActions.listRoles },
  { to: '/tokens', name: 'tokens', Icon: Cable, needs: manageTokens },
]

/** The pages that are shown to a user who may do these actions. */
export const placesFor = (actions: ReadonlySet<string>): readonly Place[] =>
  places.filter(({ needs }) => actions.has(needs))
