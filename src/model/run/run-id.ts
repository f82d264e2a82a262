/** The id of a run, which is also the name of its directory. */
export const runIdPattern = /^run_[0-9a-f]{12}$/;
