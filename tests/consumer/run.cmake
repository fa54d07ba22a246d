# cmake -D BUILD=… -D SOURCE=… -D COMPILER=… -D SANITIZE=… -D GENERATOR=… -P run.cmake: installs the library, builds the consumer against it
# in a folder of its own and compares its answer with the original's (greedy).
set(work ${BUILD}/tests/consumer)
file(REMOVE_RECURSE ${work})
set(flags)
if(SANITIZE)
    set(flags -fsanitize=${SANITIZE}) # as the library
endif()

function(run)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE errors)
    if(NOT code EQUAL 0)
        message(FATAL_ERROR "${ARGN}\n${output}${errors}")
    endif()
    set(output "${output}" PARENT_SCOPE)
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD} --component library --prefix ${work}/prefix)
run(${CMAKE_COMMAND} -G ${GENERATOR} -S ${SOURCE}/tests/consumer -B ${work}/build -DCMAKE_PREFIX_PATH=${work}/prefix
    -DCMAKE_CXX_COMPILER=${COMPILER} "-DCMAKE_CXX_FLAGS=${flags}")
run(${CMAKE_COMMAND} --build ${work}/build)

set(model ${SOURCE}/tests/golden/models/gpt_teacher)
file(READ ${model}/pt.golden.json golden)
string(JSON question GET "${golden}" generate 2 prompt)
string(JSON expected GET "${golden}" generate 2 text)
run(${work}/build/consumer ${model}/out/best.safetensors ${question})
if(NOT output STREQUAL "${expected}\n")
    message(FATAL_ERROR "${question}: ${output}expected: ${expected}")
endif()

file(READ ${SOURCE}/tests/consumer/main.cpp example)
foreach(readme IN ITEMS README.md README.zh-CN.md)
    file(READ ${SOURCE}/${readme} text)
    string(FIND "${text}" "${example}" at)
    if(at EQUAL -1)
        message(FATAL_ERROR "${readme} does not hold tests/consumer/main.cpp as its library example")
    endif()
endforeach()
