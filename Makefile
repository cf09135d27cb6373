# The work is in .ci/, so that a person and CI run the same scripts.

help: ## what there is to run
	@sed -n 's/^\([a-z-]*\):.*## /make \1\t/p' Makefile | expand -t 20

play: ## the page on this machine
	@.ci/play

test: ## every test that needs no browser and no cluster
	@.ci/test

test-cluster: ## Berth on a real control plane, which is built once
	@.ci/guard .ci/cluster

bench: ## how fast it is
	@.ci/bench

lint: ## formatting and lints
	@.ci/lint

image: ## an image of the scheduler for a cluster
	@.ci/image

setup: ## everything that the others need, installed once
	@.ci/setup

.PHONY: help play test test-cluster bench lint image setup
