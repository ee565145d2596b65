"""What leads nodes from state to state, and gives them to whoever asks for one."""

import expect


def walk(metal, exceptions):
    # Unless it is told otherwise the client leads a new node to `available`.
    node = metal.create_node(driver="fake-hardware", name="life", resource_class="lab", inspect_interface="fake")
    expect.equal(metal.get_node(node.id).provision_state, "available")
    states(metal, exceptions, node)
    allocations(metal, exceptions, node)
    failures(metal, exceptions)


def states(metal, exceptions, node):
    for target, state, arguments in (
        ("manage", "manageable", {}),
        ("inspect", "manageable", {}),
        ("clean", "manageable", {"clean_steps": [{"interface": "deploy", "step": "erase_devices"}]}),
        ("provide", "available", {}),
        ("active", "active", {"config_drive": {"meta_data": {"hostname": "life"}}}),
        ("rescue", "rescue", {"rescue_password": "let me in"}),
        ("unrescue", "active", {}),
        ("rebuild", "active", {}),
        ("deleted", "available", {}),
    ):
        if target == "unrescue":
            # This release does not know where the verb leads, so it cannot wait for it by itself.
            metal.set_node_provision_state(node, target)
            (shown,) = metal.wait_for_nodes_provision_state([node], state, timeout=60)
        else:
            shown = metal.set_node_provision_state(node, target, wait=True, timeout=60, **arguments)
        expect.equal(shown.provision_state, state, "after " + target)
    refused = expect.refused(exceptions.BadRequestException, metal.set_node_provision_state, node, "inspect")
    expect.true("available" in str(refused), "the refusal names the state")


def allocations(metal, exceptions, node):
    metal.set_node_power_state(node, "power off", wait=True, timeout=60)
    metal.add_node_trait(node, "CUSTOM_LAB")
    made = metal.create_allocation(name="mine", resource_class="lab", traits=["CUSTOM_LAB"])
    given = metal.wait_for_allocation(made, timeout=60)
    expect.equal((given.state, given.node_id), ("active", node.id))
    expect.equal(metal.get_allocation("mine", fields=["uuid"]).id, made.id)
    expect.equal([one.id for one in metal.allocations(node=node.id, state="active")], [made.id])
    expect.equal(metal.update_allocation(made, name="ours").name, "ours")
    patched = metal.patch_allocation(made, [{"op": "add", "path": "/extra/a", "value": 1}])
    expect.equal(patched.extra, {"a": 1})
    expect.equal(metal.get_node(node.id).instance_id, made.id)
    metal.delete_allocation(made)
    expect.refused(exceptions.ResourceNotFound, metal.get_allocation, made.id)
    expect.equal(metal.get_node(node.id).instance_id, None)
    vain = metal.create_allocation(resource_class="none")
    expect.refused(exceptions.ResourceFailure, metal.wait_for_allocation, vain, timeout=60)
    expect.equal(metal.wait_for_allocation(vain, timeout=60, ignore_error=True).state, "error")
    metal.delete_allocation(vain.id)


def failures(metal, exceptions):
    fleet = [metal.create_node(driver="fake-hardware", inspect_interface="agent", provision_state="enroll") for _ in range(3)]
    for node in fleet:
        metal.set_node_provision_state(node, "manage")
    managed = metal.wait_for_nodes_provision_state([node.id for node in fleet], "manageable", timeout=60)
    expect.equal(len(managed), 3)
    metal.set_node_provision_state(fleet[0], "inspect")
    metal.wait_for_nodes_provision_state([fleet[0]], "inspect wait", timeout=60)
    metal.set_node_provision_state(fleet[0], "abort")
    failed = expect.refused(
        exceptions.ResourceFailure, metal.wait_for_nodes_provision_state, fleet, "manageable", timeout=60
    )
    expect.true("aborted" in str(failed), "the failure says why")
    result = metal.wait_for_nodes_provision_state(fleet, "manageable", timeout=60, fail=False)
    expect.equal([len(result.success), len(result.failure), len(result.timeout)], [2, 1, 0])
    metal.set_node_provision_state(fleet[0], "manage", wait=True, timeout=60)
    for node in fleet:
        metal.delete_node(node)
